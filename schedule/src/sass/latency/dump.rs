//! Prints a model as text, for `--dump-machine=sm_90`.

use std::fmt::{self, Write};

use toml::Spanned;

use super::classes::Class;
use super::machine::Machine;
use super::tables::{Table, Tables};
use super::{ClassId, LatencyModel, TableFile};

impl fmt::Display for LatencyModel {
    /// Each value with its source, in the order of the files.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        machine(out, &self.machine)?;
        if let Some(portable) = self.machine.portable.as_ref().filter(|_| self.is_portable) {
            let other = portable.machine.get_ref();
            writeln!(out, "code that runs on {other}, too [{}]", portable.source)?;
        }
        tables(out, &self.tables, &self.machine)?;
        for id in self.classes.ids() {
            class(out, self, id)?;
        }
        Ok(())
    }
}

fn machine(out: &mut fmt::Formatter<'_>, machine: &Machine) -> fmt::Result {
    writeln!(out, "machine {} [{}]", machine.name, machine.source)?;
    let warp = &machine.warp;
    writeln!(
        out,
        "  warps {}, registers {}, issue slots {} [{}]",
        warp.warps, warp.registers, warp.issue_slots, warp.source
    )?;
    let boards = &machine.scoreboards;
    writeln!(
        out,
        "  scoreboards {}, visible after {} cycles, longest latency {}, longest stall {}, \
         configurations {}, triplets {}, identifiers {:?} [{}]",
        boards.count,
        boards.arm_cycles,
        boards.longest_latency,
        boards.longest_stall,
        boards.configurations,
        boards.triplets,
        boards.identifiers,
        boards.source
    )?;
    for row in &machine.issue_minimum {
        writeln!(
            out,
            "  after {} at least {} cycles [{}]",
            row.opcode.row().name,
            row.cycles,
            row.source
        )?;
    }
    for rule in &machine.products {
        let names = rule.mnemonics.iter().map(|opcode| opcode.row().name);
        writeln!(
            out,
            "  between products of {}, columns / {} - {}, at least {} cycles [{}]",
            names.collect::<Vec<_>>().join(", "),
            rule.columns_per_cycle,
            rule.overlap,
            rule.least,
            rule.source
        )?;
    }
    for rule in &machine.dual_issue {
        let names = |classes: &[Spanned<String>]| {
            let names = classes.iter().map(|name| name.get_ref().as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        writeln!(
            out,
            "  in one cycle: {}, then {}; at most {} reads constant memory [{}]",
            names(&rule.first),
            names(&rule.second),
            rule.constants,
            rule.source
        )?;
    }
    for unit in &machine.units {
        write!(out, "  unit {}: ", unit.name)?;
        match unit.multiply_adds {
            0 => write!(out, "{} lanes", unit.lanes)?,
            adds => write!(out, "{adds} multiply-adds per cycle")?,
        }
        let interval = unit.issue_interval();
        writeln!(out, ", a warp every {interval} cycles [{}]", unit.source)?;
    }
    let profile = &machine.profile;
    writeln!(
        out,
        "profile: warps {}, dispatch slots {} [{}]",
        profile.warps, profile.dispatch_slots, profile.source
    )?;
    if let Some(from) = &profile.assumed_from {
        writeln!(out, "  weights of {from}, assumed")?;
    }
    for weight in &profile.weights {
        writeln!(
            out,
            "  {} (class {}): latency {}, inverse throughput {}",
            weight.name, weight.class, weight.latency, weight.inverse_throughput
        )?;
    }
    Ok(())
}

fn tables(out: &mut fmt::Formatter<'_>, tables: &Tables, machine: &Machine) -> fmt::Result {
    writeln!(out, "latencies {} [{}]", tables.name, tables.source)?;
    for file in TableFile::ALL {
        table(out, tables.table(file))?;
    }
    for exception in &machine.exceptions {
        writeln!(
            out,
            "  here: {} {} -> {} {} [{}]",
            exception.file.name(),
            exception.writer.get_ref(),
            exception.reader.get_ref(),
            exception.cycles,
            exception.source
        )?;
    }
    writeln!(out, "write after write")?;
    for rule in &tables.overwrites {
        write!(
            out,
            "  {} -> {} {}",
            rule.first.name(),
            rule.second.name(),
            rule.cycles
        )?;
        match rule.guarded {
            0 => {}
            more => write!(out, ", {more} more after a guard")?,
        }
        writeln!(out, " [{}]", rule.source)?;
    }
    for rule in &tables.uniform_overwrites {
        writeln!(
            out,
            "  {} -> {} {} [{}]",
            rule.first, rule.second, rule.cycles, rule.source
        )?;
    }
    writeln!(out, "write after read")?;
    for rule in &tables.antidependences {
        let (first, second) = (rule.first.name(), rule.second.name());
        writeln!(
            out,
            "  {first} -> {second} {} [{}]",
            rule.cycles, rule.source
        )?;
    }
    Ok(())
}

fn table(out: &mut fmt::Formatter<'_>, table: &Table) -> fmt::Result {
    writeln!(
        out,
        "{} registers, read after write: reader <- {}",
        table.file.name(),
        table.writers.join(", ")
    )?;
    for (index, reader) in table.readers.iter().enumerate() {
        let width = table.writers.len();
        let mut row = String::new();
        for cycles in table.cycles.iter().skip(index * width).take(width) {
            write!(row, " {cycles:2}")?;
        }
        let source = table.sources.get(index).map_or("", String::as_str);
        writeln!(out, "  {reader:18}{row} [{source}]")?;
    }
    Ok(())
}

fn class(out: &mut fmt::Formatter<'_>, model: &LatencyModel, id: ClassId) -> fmt::Result {
    let class: &Class = model.class(id);
    write!(
        out,
        "class {}: {:?}, group {}, unit {}",
        class.name,
        class.mechanism,
        class.group.name(),
        class.unit
    )?;
    for (what, queue) in [
        ("operands", class.operand_queue),
        ("results", class.result_queue),
    ] {
        if let Some(queue) = queue {
            write!(
                out,
                ", {what} in order of {}",
                model.classes.queue_name(queue)
            )?;
        }
    }
    if class.typical > 0 {
        let (result, operands) = (class.typical, class.operands_after);
        write!(
            out,
            ", typically {result} cycles, operands after {operands}"
        )?;
    }
    writeln!(out, " [{}]", class.source)?;
    let mnemonics = model.classes.mnemonics(id);
    if !mnemonics.is_empty() {
        writeln!(out, "  {}", mnemonics.join(" "))?;
    }
    Ok(())
}
