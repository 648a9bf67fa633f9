//! Timed runs as text, JSON, and a trace in Chrome's format.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use orison_ir::{Context, Operation};
use serde_json::{Value, json};

use super::record::{LoopTimes, Record, Track};

/// The form of a report.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Style {
    /// Tables.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// Line and column of an operation.
fn place(context: &Context, op: Operation) -> String {
    match op.location(context).position(context) {
        Some((_, line, column)) => format!("{line}:{column}"),
        None => "unknown".to_owned(),
    }
}

/// The name of an operation without its dialect.
fn short(context: &Context, op: Operation) -> &str {
    let name = op.name_text(context);
    name.rsplit('.').next().unwrap_or(name)
}

#[allow(clippy::cast_precision_loss)] // Cycles are far fewer than 2^52.
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// A report of a timed run.
pub fn render(context: &Context, record: &Record, style: Style) -> String {
    match style {
        Style::Text => text(context, record),
        Style::Json => format!("{:#}\n", value(context, record)),
    }
}

/// Columns as wide as their longest cell: the first `left` ones start at the left, the others end at
/// the right.
fn table(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let padded = if column < left {
                format!("{cell:width$}")
            } else {
                format!("{cell:>width$}")
            };
            let gap = if column == 0 { "" } else { "  " };
            line.push_str(gap);
            line.push_str(&padded);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn text(context: &Context, record: &Record) -> String {
    let agent = |number: usize| record.agents[number].name.clone();
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "{} cycles on machine '{}'",
        record.cycles, record.machine
    );
    let mut rows = vec![head(&[
        "loop",
        "agent",
        "iterations",
        "scheduled",
        "executed",
        "ratio",
    ])];
    for times in &record.loops {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        rows.push(vec![
            place(context, times.operation),
            agent(times.agent),
            times.iterations.to_string(),
            or_none(times.scheduled.map(|cycles| cycles.to_string())),
            or_none(times.interval().map(|cycles| format!("{cycles:.2}"))),
            or_none(times.ratio().map(|ratio| format!("{ratio:.3}"))),
        ]);
    }
    text.push_str(&table(&rows, 2));
    let mut rows = vec![head(&["unit", "busy", "utilisation"])];
    for unit in &record.units {
        let busy = share(unit.busy, record.cycles) * 100.0;
        rows.push(vec![
            unit.name.clone(),
            unit.busy.to_string(),
            format!("{busy:.1}%"),
        ]);
    }
    text.push_str(&table(&rows, 1));
    let mut rows = vec![head(&["agent", "from", "to", "waiting", "utilisation"])];
    for times in &record.agents {
        let alive = times.end.saturating_sub(times.start);
        let working = share(alive.saturating_sub(times.waiting), alive) * 100.0;
        rows.push(vec![
            times.name.clone(),
            times.start.to_string(),
            times.end.to_string(),
            times.waiting.to_string(),
            format!("{working:.1}%"),
        ]);
    }
    text.push_str(&table(&rows, 1));
    let mut rows = vec![head(&["agent", "waits at", "operation", "for", "cycles"])];
    for wait in &record.waits {
        rows.push(vec![
            agent(wait.agent),
            place(context, wait.operation),
            short(context, wait.operation).to_owned(),
            wait.wait.describe(),
            wait.cycles.to_string(),
        ]);
    }
    text.push_str(&table(&rows, 4));
    text
}

fn loop_value(context: &Context, times: &LoopTimes) -> Value {
    json!({
        "loop": place(context, times.operation),
        "agent": times.agent,
        "iterations": times.iterations,
        "scheduled": times.scheduled,
        "executed": times.interval(),
        "ratio": times.ratio(),
    })
}

fn value(context: &Context, record: &Record) -> Value {
    let loops = record.loops.iter().map(|times| loop_value(context, times));
    let units = record.units.iter().map(|unit| {
        json!({
            "unit": unit.name, "busy": unit.busy,
            "utilisation": share(unit.busy, record.cycles),
        })
    });
    let agents = record.agents.iter().map(|times| {
        json!({
            "agent": times.name, "from": times.start, "to": times.end, "waiting": times.waiting,
        })
    });
    let waits = record.waits.iter().map(|wait| {
        json!({
            "agent": wait.agent,
            "at": place(context, wait.operation),
            "operation": wait.operation.name_text(context),
            "for": wait.wait.describe(),
            "cycles": wait.cycles,
        })
    });
    json!({
        "machine": record.machine,
        "cycles": record.cycles,
        "loops": loops.collect::<Vec<_>>(),
        "units": units.collect::<Vec<_>>(),
        "agents": agents.collect::<Vec<_>>(),
        "waits": waits.collect::<Vec<_>>(),
    })
}

/// The iterations of a loop in an agent: when they were executed, and, from the same first cycle, when
/// they would be with the scheduled interval. Each has a name, a start and a duration.
fn iterations(times: &LoopTimes) -> [Vec<(String, u64, u64)>; 2] {
    let (mut executed, mut scheduled) = (Vec::new(), Vec::new());
    for (starts, end) in &times.runs {
        let ends = starts.iter().skip(1).chain([end]);
        for ((number, start), end) in (0u64..).zip(starts).zip(ends) {
            let name = format!("iteration {number}");
            executed.push((name.clone(), *start, end - start));
            if let Some(interval) = times.scheduled {
                scheduled.push((name, starts[0] + number * interval, interval));
            }
        }
    }
    [executed, scheduled]
}

/// The run in Chrome's trace format, in the form of the scheduler's trace: process 0 shows agents,
/// process 1 shows units, process 2 the iterations of loops, executed and scheduled; a microsecond is a
/// cycle.
pub fn trace(context: &Context, record: &Record) -> String {
    let mut events = Vec::new();
    let mut name = |what: &str, process: u64, thread: Option<usize>, name: &str| {
        events.push(json!({
            "ph": "M", "name": what, "pid": process, "tid": thread.unwrap_or(0),
            "args": {"name": name},
        }));
    };
    name("process_name", 0, None, "agents");
    for (number, agent) in record.agents.iter().enumerate() {
        name("thread_name", 0, Some(number), &agent.name);
    }
    name("process_name", 1, None, "units");
    let mut threads = BTreeMap::new();
    for (number, unit) in record.units.iter().enumerate() {
        name("thread_name", 1, Some(number), &unit.name);
        threads.insert(unit.name.as_str(), number);
    }
    name("process_name", 2, None, "iterations");
    for (number, times) in record.loops.iter().enumerate() {
        let place = place(context, times.operation);
        let agent = &record.agents[times.agent].name;
        for (row, what) in ["executed", "scheduled"].iter().enumerate() {
            let title = format!("{agent}, loop at {place}, {what}");
            name("thread_name", 2, Some(2 * number + row), &title);
        }
    }
    for (number, times) in record.loops.iter().enumerate() {
        for (row, iterations) in iterations(times).into_iter().enumerate() {
            for (name, start, duration) in iterations {
                events.push(json!({
                    "ph": "X", "cat": "iteration", "pid": 2, "tid": 2 * number + row,
                    "ts": start, "dur": duration, "name": name,
                }));
            }
        }
    }
    for span in &record.spans {
        let (process, thread) = match &span.track {
            Track::Agent(number) => (0, *number),
            Track::Unit(name) => (1, threads.get(name.as_str()).copied().unwrap_or(0)),
        };
        let operation = span.operation.name_text(context);
        let (category, name) = match &span.wait {
            Some(wait) => ("wait", format!("waits for {}", wait.describe())),
            None => ("operation", operation.to_owned()),
        };
        events.push(json!({
            "ph": "X", "cat": category, "pid": process, "tid": thread,
            "ts": span.start, "dur": span.duration, "name": name,
            "args": {"operation": operation, "at": place(context, span.operation)},
        }));
    }
    let trace = json!({
        "displayTimeUnit": "ns",
        "otherData": {"machine": record.machine, "unit of time": "cycles"},
        "traceEvents": events,
    });
    format!("{trace:#}\n")
}
