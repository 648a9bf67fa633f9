/* The C interface of orison. Generated from tools/mlir/src/c_interface.rs by
 * `ORISON_WRITE_HEADER=1 tools/mlir/cargo test --test c_interface`. */

#ifndef ORISON_H
#define ORISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"


/*
 How serious a diagnostic is.
 */
typedef enum OrisonSeverity {
  /*
   What was asked for could not be done.
   */
  ORISON_ERROR = 0,
  /*
   Something suspicious.
   */
  ORISON_WARNING = 1,
  /*
   Something a person may want to know.
   */
  ORISON_REMARK = 2,
  /*
   More about the diagnostic before it.
   */
  ORISON_NOTE = 3,
} OrisonSeverity;

/*
 How a call ended.
 */
typedef enum OrisonStatus {
  /*
   As it should.
   */
  ORISON_SUCCESS = 0,
  /*
   With an error that went to the diagnostic callback; nothing was changed.
   */
  ORISON_FAILURE = 1,
  /*
   An argument was null where it may not be, or no UTF-8.
   */
  ORISON_INVALID_ARGUMENT = 2,
  /*
   A bug in orison; nothing was changed, and the session may be used no more.
   */
  ORISON_BUG = 3,
} OrisonStatus;

/*
 A module in orison.
 */
typedef struct OrisonModule OrisonModule;

/*
 What lasts from one call to the next.
 */
typedef struct OrisonSession OrisonSession;

/*
 Receives a diagnostic: severity, file (null when the place is unknown), line, column, message,
 and what was given together with the callback. The texts are alive during the call.
 */
typedef void (*OrisonDiagnosticCallback)(enum OrisonSeverity,
                                         const char*,
                                         uint32_t,
                                         uint32_t,
                                         const char*,
                                         void*);

/*
 A text that orison made; give it back with `orison_string_destroy`.
 */
typedef struct OrisonString {
  /*
   The bytes, with a zero behind them; null when there is no text.
   */
  char *data;
  /*
   How many bytes, without the zero.
   */
  size_t length;
} OrisonString;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of orison, for example `0.1.0`. The text lives forever.
 */
const char *orison_version(void);

/*
 A new session, which hands its diagnostics to `callback` (or to nobody, when it is null).
 */
struct OrisonSession *orison_session_create(OrisonDiagnosticCallback callback, void *user_data);

/*
 Ends a session. Null is nothing.

 # Safety
 It is null or a session that has not ended.
 */
void orison_session_destroy(struct OrisonSession *session);

/*
 Gives a text back. Null is nothing.

 # Safety
 It was made by a function of this interface and not given back.
 */
void orison_string_destroy(struct OrisonString string);

/*
 Reads and verifies a module from text in MLIR's format: `length` bytes at `data`; `name` is the
 file in diagnostics. Operations of unknown dialects are kept.

 # Safety
 The pointers are valid, and the session is used by this thread only.
 */
enum OrisonStatus orison_module_parse(struct OrisonSession *session,
                                      const char *name,
                                      const char *data,
                                      size_t length,
                                      struct OrisonModule **module);

/*
 Runs a pipeline such as `builtin.module(tileas-generate-schedule)` on a module. When a pass fails,
 the module is valid and somewhere in between; only `orison_run_pipeline` keeps what was before.

 # Safety
 The pointers are valid, and session and module are used by this thread only.
 */
enum OrisonStatus orison_module_run(struct OrisonSession *session,
                                    struct OrisonModule *module,
                                    const char *pipeline);

/*
 The text of a module, in generic form when `generic` is true.

 # Safety
 The pointers are valid.
 */
enum OrisonStatus orison_module_print(const struct OrisonModule *module,
                                      bool generic,
                                      struct OrisonString *text);

/*
 Gives a module back. Null is nothing.

 # Safety
 It is null or a module that was not given back.
 */
void orison_module_destroy(struct OrisonModule *module);

/*
 Runs a pipeline of orison on a live module of MLIR, in place. When it fails, the module is as it
 was, and the errors went to the diagnostic handlers of its MLIR context too.

 # Safety
 The pointers and the module are valid, and used by this thread only.
 */
enum OrisonStatus orison_run_pipeline(struct OrisonSession *session,
                                      MlirModule module,
                                      const char *pipeline);

/*
 The same on any operation that is isolated from above.

 # Safety
 The pointers and the operation are valid, and used by this thread only.
 */
enum OrisonStatus orison_run_pipeline_on_operation(struct OrisonSession *session,
                                                   MlirOperation operation,
                                                   const char *pipeline);

/*
 A pass for a pass manager of MLIR, which takes it over; null in `*pass` when the pipeline is wrong.

 # Safety
 The pointers are valid, and the session is used by this thread only.
 */
enum OrisonStatus orison_create_pass(struct OrisonSession *session,
                                     const char *pipeline,
                                     MlirPass *pass);

/*
 Adds a pipeline with passes of MLIR and of orison to a pass manager of MLIR:
 `canonicalize,orison{pipeline=builtin.module(…)},cse`.

 # Safety
 The pointers and the pass manager are valid, and used by this thread only.
 */
enum OrisonStatus orison_add_pipeline(struct OrisonSession *session,
                                      MlirOpPassManager manager,
                                      const char *pipeline);

/*
 Makes an MLIR context know dialects of orison (`nv_tileaa,nv_tileas,ori`), through IRDL.

 # Safety
 The pointers and the context are valid, and used by this thread only.
 */
enum OrisonStatus orison_load_dialects(struct OrisonSession *session,
                                       MlirContext context,
                                       const char *names);

/*
 The IRDL of dialects of orison, as `orison-opt --emit-irdl` prints it.

 # Safety
 The pointers are valid, and the session is used by this thread only.
 */
enum OrisonStatus orison_emit_irdl(struct OrisonSession *session,
                                   const char *names,
                                   struct OrisonString *text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ORISON_H */
