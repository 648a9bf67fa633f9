//! Tasks: a program, the agents it switches to, and the asynchronous operations in flight, run in a
//! chosen order.
//!
//! A choice runs one task up to its next visible operation (one that another task can observe or
//! wait for), or completes one asynchronous operation. Between visible operations a task accesses
//! no state that others observe, so every order of operations is equivalent to one of these.

use orison_ir::{Context, Diagnostic, Operation};
use orison_tileas::nv_tileas::AgentSwitch;

use super::handles::EffectName;
use super::random::Random;
use super::state::{SwitchState, TileState};
use crate::{Interpreter, Machine, Progress, Trap, World};

/// A program or an agent.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its machine.
    pub machine: Machine,
    /// Its name in messages.
    pub name: String,
    /// The task and the switch that started it.
    parent: Option<(usize, Operation)>,
    /// The condition it waits for, and the version of the state at which it was found waiting.
    waits: Option<(u64, String)>,
}

/// A possible next event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// A task continues.
    Task(usize),
    /// An asynchronous operation is done.
    Effect(EffectName),
}

/// What became of the operation of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stepped {
    /// It was executed.
    Ran,
    /// It waits for another task, or for asynchronous operations.
    Waits,
    /// It was the last one.
    Finished,
}

/// Why a run failed.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// The operation.
    pub place: Option<Operation>,
    /// The message.
    pub message: String,
    /// Related operations, and their relation.
    pub notes: Vec<(Operation, String)>,
}

impl Failure {
    /// The failure as an error message.
    pub fn render(&self, context: &Context) -> String {
        let Some(place) = self.place else {
            return format!("error: {}\n", self.message);
        };
        let mut error = Diagnostic::error(place.location(context), self.message.as_str());
        for (place, note) in &self.notes {
            error = error.with_note(place.location(context), note.as_str());
        }
        error.render(context)
    }
}

impl From<Trap> for Failure {
    fn from(trap: Trap) -> Self {
        let notes = match &trap {
            Trap::Undefined {
                note: Some(note), ..
            } => vec![(**note).clone()],
            _ => Vec::new(),
        };
        Failure {
            place: trap.operation(),
            message: trap.to_string(),
            notes,
        }
    }
}

/// The preference of a seed among choices. Seeds alternate among them, so that each preference is
/// used equally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Preference {
    /// No preference.
    Even,
    /// Asynchronous operations complete as late as possible.
    Late,
    /// Asynchronous operations complete at once.
    Early,
    /// The task with the highest priority continues; priorities change occasionally.
    Priority,
    /// One task continues as long as possible.
    Stubborn,
}

impl Preference {
    const ALL: [Preference; 5] = [
        Preference::Even,
        Preference::Late,
        Preference::Early,
        Preference::Priority,
        Preference::Stubborn,
    ];
}

/// A running block of a grid.
#[derive(Clone, Debug)]
pub struct Run {
    tasks: Vec<Task>,
    /// State shared by its tasks.
    pub world: World,
    /// Number of operations executed.
    pub operations: u64,
}

impl Run {
    /// A run of one program.
    pub fn new(machine: Machine, world: World) -> Run {
        Run {
            tasks: vec![Task {
                machine,
                name: "the program".to_owned(),
                parent: None,
                waits: None,
            }],
            world,
            operations: 0,
        }
    }

    /// The tasks; the program first.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    fn state(&mut self) -> &mut TileState {
        self.world.state()
    }

    /// The possible next events, in a fixed order.
    pub fn choices(&mut self) -> Vec<Choice> {
        let state = self.world.state::<TileState>();
        let mut choices: Vec<Choice> = state.ready().map(Choice::Effect).collect();
        let version = state.version;
        for (number, task) in self.tasks.iter().enumerate() {
            let waits = task
                .waits
                .as_ref()
                .is_some_and(|(since, _)| *since == version);
            let switched = task.machine.operation().is_some_and(|op| {
                let found = state.switches.get(&(number, op));
                matches!(found, Some(SwitchState::Asked | SwitchState::Running))
            });
            if !waits && !switched && task.machine.finished().is_none() {
                choices.push(Choice::Task(number));
            }
        }
        choices
    }

    /// Performs a choice.
    ///
    /// # Errors
    /// If the program has an error.
    pub fn perform(
        &mut self,
        interpreter: &Interpreter<'_>,
        choice: Choice,
    ) -> Result<(), Failure> {
        match choice {
            Choice::Effect(name) => self.complete(name),
            Choice::Task(number) => self.go_on(interpreter, number),
        }
    }

    fn go_on(&mut self, interpreter: &Interpreter<'_>, number: usize) -> Result<(), Failure> {
        let context = interpreter.context();
        loop {
            if self.step_task(interpreter, number)? != Stepped::Ran {
                return Ok(());
            }
            let next = self.tasks[number].machine.operation();
            if next.is_some_and(|next| is_visible(context, next)) {
                return Ok(());
            }
        }
    }

    /// Executes one operation of a task.
    pub(super) fn step_task(
        &mut self,
        interpreter: &Interpreter<'_>,
        number: usize,
    ) -> Result<Stepped, Failure> {
        self.state().task = number;
        self.operations += 1;
        let machine = &mut self.tasks[number].machine;
        match interpreter.step(machine, &mut self.world)? {
            Progress::Ran => Ok(Stepped::Ran),
            Progress::Waits(reason) => {
                self.fork(interpreter, number)?;
                let version = self.state().version;
                self.tasks[number].waits = Some((version, reason));
                Ok(Stepped::Waits)
            }
            Progress::Finished => {
                self.end(number);
                Ok(Stepped::Finished)
            }
        }
    }

    /// Performs the work of an asynchronous operation.
    pub(super) fn complete(&mut self, name: EffectName) -> Result<(), Failure> {
        Ok(self.state().finish(name)?)
    }

    /// Starts the agents of a switch that a task has just reached.
    fn fork(&mut self, interpreter: &Interpreter<'_>, number: usize) -> Result<(), Failure> {
        let Some(op) = self.tasks[number].machine.operation() else {
            return Ok(());
        };
        let key = (number, op);
        if self.state().switches.get(&key) != Some(&SwitchState::Asked) {
            return Ok(());
        }
        let context = interpreter.context();
        let holes = AgentSwitch(op).holes(context).unwrap_or_default();
        let mut agents = 0;
        for (region_number, region) in op.regions(context).enumerate() {
            if holes.get(region_number) == Some(&true) {
                continue;
            }
            let machine = self.tasks[number]
                .machine
                .fork(context, region, Vec::new())?;
            self.tasks.push(Task {
                machine,
                name: format!("agent {region_number}"),
                parent: Some(key),
                waits: None,
            });
            agents += 1;
        }
        let state = if agents == 0 {
            SwitchState::Ended
        } else {
            SwitchState::Running
        };
        self.state().switches.insert(key, state);
        self.state().version += 1;
        Ok(())
    }

    /// Notifies the task that switched to an agent once all of its agents have ended.
    fn end(&mut self, number: usize) {
        self.tasks[number].waits = None;
        let Some(parent) = self.tasks[number].parent else {
            return;
        };
        let mut agents = self.tasks.iter().filter(|task| task.parent == Some(parent));
        if agents.all(|task| task.machine.finished().is_some()) {
            self.state().switches.insert(parent, SwitchState::Ended);
            self.state().version += 1;
            // Their values are no longer needed.
            for task in self
                .tasks
                .iter_mut()
                .filter(|task| task.parent == Some(parent))
            {
                task.parent = None;
            }
        }
    }

    /// Checks a run in which no choice remains.
    ///
    /// # Errors
    /// If tasks wait for each other, or work remains.
    pub fn conclude(&mut self) -> Result<(), Failure> {
        let waiting: Vec<(Operation, String)> = self
            .tasks
            .iter()
            .filter(|task| task.machine.finished().is_none())
            .filter_map(|task| {
                let (_, reason) = task.waits.as_ref()?;
                let op = task.machine.operation()?;
                Some((op, format!("{} waits here for {reason}", task.name)))
            })
            .collect();
        if let Some((place, _)) = waiting.last() {
            return Err(Failure {
                place: Some(*place),
                message: "deadlock: no task can make progress".to_owned(),
                notes: waiting,
            });
        }
        match self.state().leftover() {
            None => Ok(()),
            Some((place, message)) => Err(Failure {
                place: Some(place),
                message,
                notes: Vec::new(),
            }),
        }
    }

    /// Runs to the end in a seeded order; returns a number that identifies the order.
    ///
    /// # Errors
    /// If the program has an error, deadlocks, or does not end in `fuel` operations.
    pub fn finish(
        &mut self,
        interpreter: &Interpreter<'_>,
        seed: u64,
        fuel: u64,
    ) -> Result<u64, Failure> {
        let mut order = Order::new(seed);
        loop {
            let choices = self.choices();
            if choices.is_empty() {
                self.conclude()?;
                return Ok(order.trail);
            }
            if self.operations > fuel {
                return Err(Failure {
                    place: self.tasks.last().and_then(|task| task.machine.operation()),
                    message: format!("did not finish within {fuel} operations"),
                    notes: Vec::new(),
                });
            }
            let choice = order.choose(&choices);
            self.perform(interpreter, choice)?;
        }
    }
}

/// A seeded order of choices.
struct Order {
    random: Random,
    preference: Preference,
    priorities: Vec<u64>,
    last: Option<Choice>,
    trail: u64,
}

impl Order {
    fn new(seed: u64) -> Order {
        let preference = Preference::ALL[(seed % Preference::ALL.len() as u64) as usize];
        Order {
            random: Random::new(seed),
            preference,
            priorities: Vec::new(),
            last: None,
            trail: 0,
        }
    }

    fn choose(&mut self, choices: &[Choice]) -> Choice {
        let is_task = |choice: &&Choice| matches!(choice, Choice::Task(_));
        let tasks: Vec<Choice> = choices.iter().filter(is_task).copied().collect();
        let effects: Vec<Choice> = choices
            .iter()
            .filter(|choice| !is_task(choice))
            .copied()
            .collect();
        let chosen = match self.preference {
            Preference::Late if !tasks.is_empty() => self.any(&tasks),
            Preference::Early if !effects.is_empty() => self.any(&effects),
            Preference::Priority if !tasks.is_empty() => self.by_priority(&tasks, &effects),
            Preference::Stubborn if self.last.is_some_and(|last| choices.contains(&last)) => {
                let last = self.last.unwrap_or(choices[0]);
                if self.random.below(16) == 0 {
                    self.any(choices)
                } else {
                    last
                }
            }
            _ => self.any(choices),
        };
        self.last = Some(chosen);
        let position = choices
            .iter()
            .position(|choice| *choice == chosen)
            .unwrap_or(0);
        let mark = (choices.len() as u64) << 32 | position as u64;
        self.trail = Random::new(self.trail ^ mark).bits();
        chosen
    }

    fn any(&mut self, choices: &[Choice]) -> Choice {
        choices[self.random.below(choices.len())]
    }

    fn by_priority(&mut self, tasks: &[Choice], effects: &[Choice]) -> Choice {
        if !effects.is_empty() && self.random.below(4) == 0 {
            return self.any(effects);
        }
        let number = |choice: &Choice| match choice {
            Choice::Task(number) => *number,
            Choice::Effect(_) => 0,
        };
        while self.priorities.len() <= tasks.iter().map(number).max().unwrap_or(0) {
            let priority = self.random.bits();
            self.priorities.push(priority);
        }
        let best = tasks
            .iter()
            .max_by_key(|choice| self.priorities[number(choice)]);
        let best = best.copied().unwrap_or(tasks[0]);
        if self.random.below(8) == 0 {
            self.priorities[number(&best)] = self.random.bits();
        }
        best
    }
}

/// Whether other tasks can observe an operation, or it waits for them.
fn is_visible(context: &Context, op: Operation) -> bool {
    let Some(name) = op.name_text(context).strip_prefix("nv_tileas.") else {
        return false;
    };
    match name {
        "async.pipeline.yield" => op.parent_op(context).is_some_and(|parent| {
            let name = parent.name_text(context);
            name.contains(".produce_one") || name.contains(".consume_one")
        }),
        "load"
        | "store"
        | "tiled_load"
        | "tiled_store"
        | "tiled_atomic_rmw"
        | "gather_load"
        | "scatter_store"
        | "copy"
        | "async.wait"
        | "async.future_wait"
        | "cancel_next_program_id"
        | "async.cancel_next_program_id" => true,
        _ => name.strip_prefix("async.pipeline.").is_some_and(|name| {
            matches!(
                name,
                "producer_acquire"
                    | "producer_commit"
                    | "consumer_wait"
                    | "consumer_release"
                    | "produce_one"
                    | "produce_one_async"
                    | "consume_one"
                    | "consume_one_async"
                    | "agent_switch"
            )
        }),
    }
}
