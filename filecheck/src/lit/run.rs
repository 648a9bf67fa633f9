//! Running many tests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::env;
use std::fmt;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::config::{Configuration, ConfigurationError};
use super::discovery::{self, Test};
use super::execution::{SuiteContext, execute};
use super::expectation::Expectations;
use super::result::{Code, SuiteResult, TestResult};
use super::shell;
use super::tools::{Resolved, ToolFunction, Tools};

/// What to run and how.
#[derive(Clone)]
pub struct RunSettings {
    /// Files and directories with tests.
    pub paths: Vec<PathBuf>,
    /// Directories with programs, searched before those of `lit.toml` and before `PATH`.
    pub tool_directories: Vec<PathBuf>,
    /// Features in addition to those of `lit.toml`.
    pub features: Vec<String>,
    /// Run only tests whose full name matches.
    pub filter: Option<regex::Regex>,
    /// Do not run tests whose full name matches.
    pub filter_out: Option<regex::Regex>,
    /// How many tests to run at the same time; zero for one per processor.
    pub workers: usize,
    /// Seconds a test may take; `None` uses the value of `lit.toml`, zero means no limit.
    pub timeout: Option<u64>,
    /// Where tests write; `None` uses the directory of `lit.toml` or one in the system's directory
    /// for temporary files, which is removed if all tests pass.
    pub output_directory: Option<PathBuf>,
    /// Stop after this many failures.
    pub maximum_failures: Option<usize>,
    /// Start no test after this many seconds, and kill those still running.
    pub maximum_seconds: Option<u64>,
    /// How often to run a failing test again, if neither the test nor `lit.toml` defines it.
    pub retries: Option<usize>,
    /// Values of parameters that `lit.toml` declares.
    pub parameters: Vec<(String, String)>,
    /// Rewrite blocks of exact output in check files. [`RunSettings::new`] sets it if the
    /// environment variable `ORISON_BLESS` is `1`.
    pub bless: bool,
    named_tools: Vec<(String, Resolved)>,
    pub(crate) only_parse: bool,
    pub(crate) expectations: Expectations,
}

impl fmt::Debug for RunSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunSettings")
            .field("paths", &self.paths)
            .field("tool_directories", &self.tool_directories)
            .field("named_tools", &self.named_tools)
            .finish_non_exhaustive()
    }
}

impl RunSettings {
    /// Runs the tests at or below `path`, with programs from the search path.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> RunSettings {
        RunSettings {
            paths: vec![path.into()],
            tool_directories: Vec::new(),
            features: Vec::new(),
            filter: None,
            filter_out: None,
            workers: 0,
            timeout: None,
            output_directory: None,
            maximum_failures: None,
            maximum_seconds: None,
            retries: None,
            parameters: Vec::new(),
            bless: env::var_os("ORISON_BLESS").is_some_and(|value| value == "1"),
            named_tools: Vec::new(),
            only_parse: false,
            expectations: Expectations::default(),
        }
    }

    /// Makes `name` in `RUN:` lines call the program at `path`.
    pub fn tool(&mut self, name: &str, path: impl Into<PathBuf>) -> &mut RunSettings {
        self.named_tools
            .push((name.to_owned(), Resolved::Path(path.into())));
        self
    }

    /// Makes `name` in `RUN:` lines call a function in this process.
    pub fn function(&mut self, name: &str, function: ToolFunction) -> &mut RunSettings {
        self.named_tools
            .push((name.to_owned(), Resolved::Function(function)));
        self
    }
}

/// Runs a tree of tests and returns all results.
///
/// # Errors
/// Fails if a path does not exist or belongs to no suite, or a `lit.toml` is malformed.
pub fn run_suite(settings: &RunSettings) -> Result<SuiteResult, ConfigurationError> {
    let tests = discovery::find(&settings.paths)?;
    let plan = Plan::new(settings, tests)?;
    let selected: Vec<bool> = plan
        .tests
        .iter()
        .map(|test| is_selected(settings, &test.name()))
        .collect();
    Ok(plan.run(&selected, &mut |_, _| {}))
}

pub(crate) fn is_selected(settings: &RunSettings, name: &str) -> bool {
    let is_in = settings
        .filter
        .as_ref()
        .is_none_or(|filter| filter.is_match(name));
    is_in
        && !settings
            .filter_out
            .as_ref()
            .is_some_and(|filter| filter.is_match(name))
}

/// The tests and the data needed to run them.
pub(crate) struct Plan<'p> {
    settings: &'p RunSettings,
    pub(crate) tests: Vec<Test>,
    contexts: HashMap<PathBuf, SuiteContext>,
    temporary: Option<PathBuf>,
    blessings: Arc<Mutex<Vec<String>>>,
}

impl Plan<'_> {
    pub(crate) fn new(
        settings: &RunSettings,
        tests: Vec<Test>,
    ) -> Result<Plan<'_>, ConfigurationError> {
        let mut plan = Plan {
            settings,
            tests,
            contexts: HashMap::new(),
            temporary: None,
            blessings: Arc::default(),
        };
        let suites: BTreeMap<PathBuf, _> = plan
            .tests
            .iter()
            .map(|test| (test.suite.root.clone(), test.suite.clone()))
            .collect();
        known_parameters(settings, suites.values())?;
        for (index, (root, suite)) in suites.into_iter().enumerate() {
            let context = plan.context(index, &suite)?;
            plan.contexts.insert(root, context);
        }
        Ok(plan)
    }

    pub(crate) fn suites(&self) -> impl Iterator<Item = (&Path, &SuiteContext)> {
        let mut suites: Vec<_> = self.contexts.iter().collect();
        suites.sort_by_key(|(root, _)| root.as_path());
        suites
            .into_iter()
            .map(|(root, context)| (root.as_path(), context))
    }

    fn context(
        &mut self,
        index: usize,
        suite: &Configuration,
    ) -> Result<SuiteContext, ConfigurationError> {
        let mut directories = self.settings.tool_directories.clone();
        directories.extend(suite.tool_directories.iter().cloned());
        let mut tools = Tools::new(directories.clone(), suite.is_lenient);
        if self.settings.bless {
            tools.bless_into(&self.blessings);
        }
        let environment = environment(suite, &directories);
        let search_path = environment.get("PATH").cloned().unwrap_or_default();
        let mut features = suite.features.clone();
        features.extend(self.settings.features.iter().cloned());
        for (feature, programs) in &suite.programs {
            let found = programs
                .iter()
                .find_map(|program| tools.find(program, &search_path, &suite.root));
            if let Some(path) = found {
                features.insert(feature.clone());
                tools.add(feature, Resolved::Path(path));
            }
        }
        for (name, tool) in &self.settings.named_tools {
            tools.add(name, tool.clone());
        }
        let parameters = parameters(self.settings, suite);
        features.extend(
            parameters
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        Ok(SuiteContext {
            tools,
            features,
            parameters,
            environment,
            output_root: self.output_root(index, suite)?,
            timeout: self.settings.timeout.unwrap_or(suite.timeout),
            retries: suite.retries.or(self.settings.retries).unwrap_or(0),
            expectations: self.settings.expectations.clone(),
            only_parse: self.settings.only_parse,
        })
    }

    fn output_root(
        &mut self,
        index: usize,
        suite: &Configuration,
    ) -> Result<PathBuf, ConfigurationError> {
        let configured = self
            .settings
            .output_directory
            .as_ref()
            .or(suite.output_directory.as_ref());
        if let Some(directory) = configured {
            return std::path::absolute(directory).map_err(|error| {
                ConfigurationError::new(format!("{}: {error}", directory.display()))
            });
        }
        let root = match &self.temporary {
            Some(root) => root.clone(),
            None => {
                static COUNTER: AtomicUsize = AtomicUsize::new(0);
                let number = COUNTER.fetch_add(1, Ordering::Relaxed);
                let name = format!("orison-lit-{}-{number}", std::process::id());
                let root = env::temp_dir().join(name);
                self.temporary = Some(root.clone());
                root
            }
        };
        Ok(root.join(index.to_string()))
    }

    /// Runs the selected tests. `observe` is called for each result, in the order of the tests.
    pub(crate) fn run(
        &self,
        selected: &[bool],
        observe: &mut dyn FnMut(usize, &TestResult),
    ) -> SuiteResult {
        let started = Instant::now();
        let order: Vec<usize> = (0..self.tests.len())
            .filter(|index| selected[*index])
            .collect();
        let mut results = self.run_in_parallel(&order, observe);
        let tests = self
            .tests
            .iter()
            .enumerate()
            .map(|(index, test)| {
                results.remove(&index).unwrap_or_else(|| {
                    let code = if selected[index] {
                        Code::Skipped
                    } else {
                        Code::Excluded
                    };
                    TestResult::new(test, code, String::new())
                })
            })
            .collect();
        let result = SuiteResult {
            tests,
            seconds: started.elapsed().as_secs_f64(),
            blessed: self.blessings(),
        };
        if result.passed()
            && let Some(directory) = &self.temporary
        {
            // A directory that cannot be removed is harmless.
            let _ = std::fs::remove_dir_all(directory);
        }
        result
    }

    fn run_in_parallel(
        &self,
        order: &[usize],
        observe: &mut dyn FnMut(usize, &TestResult),
    ) -> HashMap<usize, TestResult> {
        let workers = worker_count(self.settings).min(order.len()).max(1);
        let queue = Queue {
            plan: self,
            order,
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            deadline: self
                .settings
                .maximum_seconds
                .and_then(|limit| Instant::now().checked_add(Duration::from_secs(limit))),
        };
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let mut started = 0;
            for _ in 0..workers {
                let (sender, queue) = (sender.clone(), &queue);
                let builder = thread::Builder::new().stack_size(shell::STACK);
                let worker = builder.spawn_scoped(scope, move || queue.work(&sender));
                started += usize::from(worker.is_ok());
            }
            if started == 0 {
                // No thread could be started: run the tests on this one.
                queue.work(&sender);
            }
            drop(sender);
            self.gather(&queue, &receiver, observe)
        })
    }

    /// Receives results and reports them in test order, so that the output is deterministic.
    fn gather(
        &self,
        queue: &Queue<'_>,
        receiver: &Receiver<(usize, TestResult)>,
        observe: &mut dyn FnMut(usize, &TestResult),
    ) -> HashMap<usize, TestResult> {
        let mut results = HashMap::new();
        let mut waiting: BTreeMap<usize, TestResult> = BTreeMap::new();
        let (mut shown, mut failures) = (0, 0);
        while let Ok((position, result)) = receiver.recv() {
            waiting.insert(position, result);
            while let Some(result) = waiting.remove(&shown) {
                observe(shown, &result);
                failures += usize::from(result.code.is_failure());
                results.insert(queue.order[shown], result);
                shown += 1;
            }
            let limit = self.settings.maximum_failures;
            if limit.is_some_and(|limit| failures >= limit) {
                queue.stop.store(true, Ordering::Relaxed);
            }
        }
        let rest = waiting.into_iter();
        results.extend(rest.map(|(at, result)| (queue.order[at], result)));
        results
    }

    fn blessings(&self) -> Vec<String> {
        let mut changes = self
            .blessings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        // Tests finish in any order.
        changes.sort();
        changes
    }

    /// The output directory, if it is temporary.
    pub(crate) fn temporary(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }
}

/// The tests that have not been started.
struct Queue<'q> {
    plan: &'q Plan<'q>,
    order: &'q [usize],
    next: AtomicUsize,
    stop: AtomicBool,
    deadline: Option<Instant>,
}

impl Queue<'_> {
    /// Runs tests until all are done or the run is stopped.
    fn work(&self, sender: &Sender<(usize, TestResult)>) {
        while !self.stop.load(Ordering::Relaxed)
            && self.deadline.is_none_or(|end| Instant::now() < end)
        {
            let position = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&index) = self.order.get(position) else {
                break;
            };
            let test = &self.plan.tests[index];
            let result = execute(test, &self.plan.contexts[&test.suite.root], self.deadline);
            if sender.send((position, result)).is_err() {
                break;
            }
        }
    }
}

/// Rejects parameters that no suite declares.
fn known_parameters<'c>(
    settings: &RunSettings,
    suites: impl Iterator<Item = &'c Arc<Configuration>>,
) -> Result<(), ConfigurationError> {
    let declared: BTreeSet<&str> = suites
        .flat_map(|suite| suite.parameters.keys().map(String::as_str))
        .collect();
    for (name, _) in &settings.parameters {
        if !declared.contains(name.as_str()) {
            let names: Vec<&str> = declared.into_iter().collect();
            let names = if names.is_empty() {
                "declare it under [parameters] in lit.toml".to_owned()
            } else {
                format!("there are: {}", names.join(", "))
            };
            return Err(ConfigurationError::new(format!(
                "unknown parameter '{name}'; {names}"
            )));
        }
    }
    Ok(())
}

/// The parameters of a suite with their values in this run.
fn parameters(settings: &RunSettings, suite: &Configuration) -> BTreeMap<String, String> {
    let mut parameters = suite.parameters.clone();
    for (name, value) in &settings.parameters {
        if let Some(parameter) = parameters.get_mut(name) {
            parameter.clone_from(value);
        }
    }
    parameters
}

pub(crate) fn worker_count(settings: &RunSettings) -> usize {
    match settings.workers {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        count => count,
    }
}

/// The environment of tests: the locations of programs, home and temporary files, and nothing else.
fn environment(suite: &Configuration, directories: &[PathBuf]) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    for name in ["HOME", "TMPDIR", "LD_LIBRARY_PATH"] {
        if let Ok(value) = env::var(name) {
            variables.insert(name.to_owned(), value);
        }
    }
    let mut path: Vec<String> = directories
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    path.extend(env::var("PATH").ok());
    variables.insert("PATH".to_owned(), path.join(":"));
    // Messages of programs must not depend on the user's locale.
    variables.insert("LC_ALL".to_owned(), "C".to_owned());
    variables.extend(suite.environment.clone());
    variables
}
