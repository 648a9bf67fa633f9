//! The C interface: `include/orison.h` is generated from this file.
//!
//! Every function that can fail returns an [`OrisonStatus`]. There is no global state: all that
//! lasts hangs on a session, which one thread at a time may use. No panic leaves a function.

use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use mlir_sys::{
    MlirContext, MlirModule, MlirOpPassManager, MlirOperation, MlirPass, mlirModuleGetOperation,
};
use orison_ir::declare::irdl_file;
use orison_ir::pass::{ManagerOptions, PassManager};
use orison_ir::{
    Context, Identifier, Operation, PrintFlags, Severity, Source, parse_source, print_to_string,
};
use orison_opt::registry;

use crate::error::{Error, Message};
use crate::{pass, pipeline, run};

/// How a call ended.
#[allow(non_camel_case_types, reason = "names as C has them")]
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrisonStatus {
    /// As it should.
    ORISON_SUCCESS = 0,
    /// With an error that went to the diagnostic callback; nothing was changed.
    ORISON_FAILURE = 1,
    /// An argument was null where it may not be, or no UTF-8.
    ORISON_INVALID_ARGUMENT = 2,
    /// A bug in orison; nothing was changed, and the session may be used no more.
    ORISON_BUG = 3,
}

/// How serious a diagnostic is.
#[allow(non_camel_case_types, reason = "names as C has them")]
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrisonSeverity {
    /// What was asked for could not be done.
    ORISON_ERROR = 0,
    /// Something suspicious.
    ORISON_WARNING = 1,
    /// Something a person may want to know.
    ORISON_REMARK = 2,
    /// More about the diagnostic before it.
    ORISON_NOTE = 3,
}

/// Receives a diagnostic: severity, file (null when the place is unknown), line, column, message,
/// and what was given together with the callback. The texts are alive during the call.
pub type OrisonDiagnosticCallback = Option<
    unsafe extern "C" fn(OrisonSeverity, *const c_char, u32, u32, *const c_char, *mut c_void),
>;

/// What lasts from one call to the next.
pub struct OrisonSession {
    callback: OrisonDiagnosticCallback,
    user_data: *mut c_void,
}

/// A module in orison.
pub struct OrisonModule {
    context: Context,
    operation: Operation,
}

/// A text that orison made; give it back with `orison_string_destroy`.
#[repr(C)]
#[derive(Debug)]
pub struct OrisonString {
    /// The bytes, with a zero behind them; null when there is no text.
    pub data: *mut c_char,
    /// How many bytes, without the zero.
    pub length: usize,
}

impl OrisonString {
    const NONE: OrisonString = OrisonString {
        data: ptr::null_mut(),
        length: 0,
    };

    fn new(text: &str) -> OrisonString {
        match CString::new(text.replace('\0', "\\0")) {
            Ok(text) => {
                let length = text.as_bytes().len();
                OrisonString {
                    data: text.into_raw(),
                    length,
                }
            }
            Err(_) => OrisonString::NONE,
        }
    }
}

/// Why a call stops: its status.
type Outcome = Result<(), OrisonStatus>;

/// Runs the body of a call; a panic becomes a status.
fn guarded(body: impl FnOnce() -> Outcome) -> OrisonStatus {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => OrisonStatus::ORISON_SUCCESS,
        Ok(Err(status)) => status,
        Err(_) => OrisonStatus::ORISON_BUG,
    }
}

/// A text that the caller gave.
///
/// # Safety
/// It is null, or ends with a zero and is alive for `'a`.
unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, OrisonStatus> {
    if text.is_null() {
        return Err(OrisonStatus::ORISON_INVALID_ARGUMENT);
    }
    // SAFETY: it is not null, and as the caller says otherwise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map_err(|_| OrisonStatus::ORISON_INVALID_ARGUMENT)
}

/// What a pointer of the caller points at.
///
/// # Safety
/// It is null, or valid and used by nobody else for `'a`.
unsafe fn reference<'a, T>(pointer: *mut T) -> Result<&'a mut T, OrisonStatus> {
    // SAFETY: as the caller says.
    unsafe { pointer.as_mut() }.ok_or(OrisonStatus::ORISON_INVALID_ARGUMENT)
}

impl OrisonSession {
    fn emit(&self, message: &Message) {
        let Some(callback) = self.callback else {
            return;
        };
        let severity = match message.severity {
            Severity::Error => OrisonSeverity::ORISON_ERROR,
            Severity::Warning => OrisonSeverity::ORISON_WARNING,
            Severity::Remark => OrisonSeverity::ORISON_REMARK,
            Severity::Note => OrisonSeverity::ORISON_NOTE,
        };
        let zero_ended = |text: &str| CString::new(text.replace('\0', "\\0")).unwrap_or_default();
        let text = zero_ended(&message.text);
        let (file, line, column) = match &message.place {
            Some((file, line, column)) => (Some(zero_ended(file)), *line, *column),
            None => (None, 0, 0),
        };
        let file = file.as_ref().map_or(ptr::null(), |file| file.as_ptr());
        // SAFETY: whoever set the callback promises that it takes these; the texts are alive.
        unsafe { callback(severity, file, line, column, text.as_ptr(), self.user_data) };
        for note in &message.notes {
            self.emit(note);
        }
    }

    /// Shows what went wrong.
    fn failed(&self, error: &Error) -> OrisonStatus {
        match error {
            Error::Passes(messages) => {
                for message in messages {
                    self.emit(message);
                }
            }
            other => self.emit(&Message {
                severity: Severity::Error,
                place: None,
                text: other.to_string(),
                notes: Vec::new(),
            }),
        }
        OrisonStatus::ORISON_FAILURE
    }

    fn report(&self, result: Result<Vec<Message>, Error>) -> Outcome {
        let messages = result.map_err(|error| self.failed(&error))?;
        for message in &messages {
            self.emit(message);
        }
        Ok(())
    }
}

/// The version of orison, for example `0.1.0`. The text lives forever.
#[unsafe(no_mangle)]
pub extern "C" fn orison_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// A new session, which hands its diagnostics to `callback` (or to nobody, when it is null).
#[unsafe(no_mangle)]
pub extern "C" fn orison_session_create(
    callback: OrisonDiagnosticCallback,
    user_data: *mut c_void,
) -> *mut OrisonSession {
    Box::into_raw(Box::new(OrisonSession {
        callback,
        user_data,
    }))
}

/// Ends a session. Null is nothing.
///
/// # Safety
/// It is null or a session that has not ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_session_destroy(session: *mut OrisonSession) {
    if !session.is_null() {
        // SAFETY: it was made by `orison_session_create`, and nobody uses it any more.
        drop(unsafe { Box::from_raw(session) });
    }
}

/// Gives a text back. Null is nothing.
///
/// # Safety
/// It was made by a function of this interface and not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_string_destroy(string: OrisonString) {
    if !string.data.is_null() {
        // SAFETY: it was made by `CString::into_raw`, and nobody uses it any more.
        drop(unsafe { CString::from_raw(string.data) });
    }
}

/// Reads and verifies a module from text in MLIR's format: `length` bytes at `data`; `name` is the
/// file in diagnostics. Operations of unknown dialects are kept.
///
/// # Safety
/// The pointers are valid, and the session is used by this thread only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_module_parse(
    session: *mut OrisonSession,
    name: *const c_char,
    data: *const c_char,
    length: usize,
    module: *mut *mut OrisonModule,
) -> OrisonStatus {
    guarded(|| {
        // SAFETY: as the caller says.
        let (session, module) = unsafe { (reference(session)?, reference(module)?) };
        *module = ptr::null_mut();
        if data.is_null() {
            return Err(OrisonStatus::ORISON_INVALID_ARGUMENT);
        }
        // SAFETY: as the caller says.
        let (name, bytes) = unsafe {
            let bytes = std::slice::from_raw_parts(data.cast::<u8>(), length);
            (self::text(name)?, bytes)
        };
        let text = std::str::from_utf8(bytes).map_err(|_| OrisonStatus::ORISON_INVALID_ARGUMENT)?;
        let mut context = Context::new();
        registry::register_all_dialects(&mut context);
        context.allow_unregistered_dialects(true);
        let file = Identifier::new(&mut context, name);
        context.sources.add(file, text.as_bytes().into(), 1);
        let source = Source {
            name,
            text,
            first_line: 1,
        };
        let parsed = parse_source(&mut context, source).ok();
        let good = parsed.filter(|operation| context.verify(*operation).is_ok());
        let messages = messages(&mut context);
        match good {
            Some(operation) => {
                *module = Box::into_raw(Box::new(OrisonModule { context, operation }));
                session.report(Ok(messages))
            }
            None => session.report(Err(Error::Passes(messages))),
        }
    })
}

/// What a context has to say.
fn messages(context: &mut Context) -> Vec<Message> {
    let diagnostics = context.diagnostics.take();
    let message = |diagnostic| Message::of(context, diagnostic);
    diagnostics.iter().map(message).collect()
}

/// Runs a pipeline such as `builtin.module(tileas-generate-schedule)` on a module. When a pass fails,
/// the module is valid and somewhere in between; only `orison_run_pipeline` keeps what was before.
///
/// # Safety
/// The pointers are valid, and session and module are used by this thread only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_module_run(
    session: *mut OrisonSession,
    module: *mut OrisonModule,
    pipeline: *const c_char,
) -> OrisonStatus {
    guarded(|| {
        // SAFETY: as the caller says.
        let (session, module, pipeline) =
            unsafe { (reference(session)?, reference(module)?, text(pipeline)?) };
        let pipeline = run::parse(pipeline).map_err(|error| session.failed(&error))?;
        let mut manager = PassManager::new(ManagerOptions::default());
        let OrisonModule { context, operation } = module;
        let done = manager.run(context, &pipeline, *operation, &mut String::new());
        let messages = messages(context);
        session.report(match done {
            Ok(()) => Ok(messages),
            Err(_) => Err(Error::Passes(messages)),
        })
    })
}

/// The text of a module, in generic form when `generic` is true.
///
/// # Safety
/// The pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_module_print(
    module: *const OrisonModule,
    generic: bool,
    text: *mut OrisonString,
) -> OrisonStatus {
    guarded(|| {
        // SAFETY: as the caller says.
        let (module, text) = unsafe { (module.as_ref(), reference(text)?) };
        *text = OrisonString::NONE;
        let module = module.ok_or(OrisonStatus::ORISON_INVALID_ARGUMENT)?;
        let flags = PrintFlags {
            generic,
            ..PrintFlags::default()
        };
        *text = OrisonString::new(&print_to_string(&module.context, module.operation, &flags));
        Ok(())
    })
}

/// Gives a module back. Null is nothing.
///
/// # Safety
/// It is null or a module that was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_module_destroy(module: *mut OrisonModule) {
    if !module.is_null() {
        // SAFETY: it was made by `orison_module_parse`, and nobody uses it any more.
        drop(unsafe { Box::from_raw(module) });
    }
}

/// Runs a pipeline of orison on a live module of MLIR, in place. When it fails, the module is as it
/// was, and the errors went to the diagnostic handlers of its MLIR context too.
///
/// # Safety
/// The pointers and the module are valid, and used by this thread only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_run_pipeline(
    session: *mut OrisonSession,
    module: MlirModule,
    pipeline: *const c_char,
) -> OrisonStatus {
    if module.ptr.is_null() {
        return OrisonStatus::ORISON_INVALID_ARGUMENT;
    }
    // SAFETY: as the caller says.
    unsafe {
        let operation = mlirModuleGetOperation(module);
        orison_run_pipeline_on_operation(session, operation, pipeline)
    }
}

/// The same on any operation that is isolated from above.
///
/// # Safety
/// The pointers and the operation are valid, and used by this thread only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_run_pipeline_on_operation(
    session: *mut OrisonSession,
    operation: MlirOperation,
    pipeline: *const c_char,
) -> OrisonStatus {
    guarded(|| {
        // SAFETY: as the caller says.
        let (session, pipeline) = unsafe { (reference(session)?, text(pipeline)?) };
        if operation.ptr.is_null() {
            return Err(OrisonStatus::ORISON_INVALID_ARGUMENT);
        }
        let pipeline = run::parse(pipeline).map_err(|error| session.failed(&error))?;
        // SAFETY: as the caller says.
        session.report(unsafe { run::run_on(operation, &pipeline) })
    })
}

/// A pass for a pass manager of MLIR, which takes it over; null in `*pass` when the pipeline is wrong.
///
/// # Safety
/// The pointers are valid, and the session is used by this thread only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_create_pass(
    session: *mut OrisonSession,
    pipeline: *const c_char,
    pass: *mut MlirPass,
) -> OrisonStatus {
    guarded(|| {
        // SAFETY: as the caller says.
        let (session, pipeline, pass) =
            unsafe { (reference(session)?, text(pipeline)?, reference(pass)?) };
        pass.ptr = ptr::null_mut();
        let new = pass::create_pass(pipeline).map_err(|error| session.failed(&error))?;
        *pass = new.to_raw();
        Ok(())
    })
}

/// Adds a pipeline with passes of MLIR and of orison to a pass manager of MLIR:
/// `canonicalize,orison{pipeline=builtin.module(…)},cse`.
///
/// # Safety
/// The pointers and the pass manager are valid, and used by this thread only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_add_pipeline(
    session: *mut OrisonSession,
    manager: MlirOpPassManager,
    pipeline: *const c_char,
) -> OrisonStatus {
    guarded(|| {
        // SAFETY: as the caller says.
        let (session, text) = unsafe { (reference(session)?, text(pipeline)?) };
        if manager.ptr.is_null() {
            return Err(OrisonStatus::ORISON_INVALID_ARGUMENT);
        }
        // SAFETY: as the caller says.
        let added = unsafe { pipeline::add(manager, text, 0) };
        added.map_err(|error| session.failed(&error))
    })
}

/// Makes an MLIR context know dialects of orison (`nv_tileaa,nv_tileas,ori`), through IRDL.
///
/// # Safety
/// The pointers and the context are valid, and used by this thread only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_load_dialects(
    session: *mut OrisonSession,
    context: MlirContext,
    names: *const c_char,
) -> OrisonStatus {
    guarded(|| {
        // SAFETY: as the caller says.
        let (session, names) = unsafe { (reference(session)?, text(names)?) };
        if context.ptr.is_null() {
            return Err(OrisonStatus::ORISON_INVALID_ARGUMENT);
        }
        let names: Vec<_> = names.split(',').collect();
        // SAFETY: as the caller says.
        let loaded = unsafe {
            let context = melior::ContextRef::from_raw(context);
            run::load_dialects(context.to_ref(), &names)
        };
        loaded.map_err(|error| session.failed(&error))
    })
}

/// The IRDL of dialects of orison, as `orison-opt --emit-irdl` prints it.
///
/// # Safety
/// The pointers are valid, and the session is used by this thread only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orison_emit_irdl(
    session: *mut OrisonSession,
    names: *const c_char,
    text: *mut OrisonString,
) -> OrisonStatus {
    guarded(|| {
        // SAFETY: as the caller says.
        let (session, names, text) =
            unsafe { (reference(session)?, self::text(names)?, reference(text)?) };
        *text = OrisonString::NONE;
        let names: Vec<_> = names.split(',').collect();
        let dialects = run::own_dialects(&names).map_err(|error| session.failed(&error))?;
        *text = OrisonString::new(&irdl_file(&dialects));
        Ok(())
    })
}
