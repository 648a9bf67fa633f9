//! Special registers, exchange between lanes, and predicates as numbers.

use orison_ori::keywords::{Format, MatchMode, Reduction, ShuffleMode, VoteMode};
use orison_ori::operations as ori;
use orison_ori::semantics::{Computation, Description, Given};
use orison_ori::types::Register as Kind;
use orison_sass::instruction::Operand as Part;
use orison_sass::registers::{Register, RegisterFile};

use super::super::action::{Action, Code, LaneExtremum, special};
use super::super::program::Operand;
use super::super::registers::Slot;
use super::decode::{Decoded, Decoder, Lanes, Line, lanes_of, plain};
use super::files;

impl Decoder<'_> {
    /// An instruction on the lanes of a warp, if it is one.
    pub(super) fn exchange(&mut self, line: &Line<'_>) -> Option<Decoded> {
        Some(match line.text.mnemonic.base() {
            "S2R" | "S2UR" | "CS2R" | "CS2UR" => self.special(line),
            "SHFL" => self.shuffle(line),
            "VOTE" | "VOTEU" => self.vote(line),
            "MATCH" => self.matching(line),
            "REDUX" => self.reduce(line),
            "CREDUX" => self.extremum(line),
            "ELECT" => self.elect(line),
            "R2UR" => self.first_lane(line),
            "DSETP" => self.choose_double(line),
            "P2R" | "UP2UR" => self.predicates_to_register(line),
            "R2P" | "UR2UP" => self.register_to_predicates(line),
            _ => return None,
        })
    }

    fn special(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["32", "64"])?;
        let name = match line.part(1)? {
            Part::Special(name) => &**name,
            _ => return Err("its operand is not a special register".to_owned()),
        };
        let counter = line.text.mnemonic.base().starts_with("CS2") && !line.has("32");
        let result = self.result(line, 0, if counter { 2 } else { 1 })?;
        let found = special(name).ok_or_else(|| format!("'{name}' is not modelled"))?;
        self.emit(line, Action::Special(found), &[], &[result], Lanes::Path);
        Ok(())
    }

    fn shuffle(&mut self, line: &Line<'_>) -> Decoded {
        let mode = match line.text.mnemonic.modifiers().next() {
            Some("IDX") => ShuffleMode::Index,
            Some("UP") => ShuffleMode::Up,
            Some("DOWN") => ShuffleMode::Down,
            Some("BFLY") => ShuffleMode::Butterfly,
            _ => return Err("its mode is not modelled".to_owned()),
        };
        let results = [self.result(line, 1, 1)?, self.result(line, 0, 1)?];
        let mut operands = Vec::new();
        for number in 2..5 {
            operands.push(self.plain_source(line, number, 1)?);
        }
        self.emit(
            line,
            Action::Shuffle(mode),
            &operands,
            &results,
            Lanes::Path,
        );
        Ok(())
    }

    fn vote(&mut self, line: &Line<'_>) -> Decoded {
        let mode = match line.text.mnemonic.modifiers().next() {
            Some("ALL") => VoteMode::All,
            Some("ANY") => VoteMode::Any,
            Some("EQ") => VoteMode::Equal,
            _ => return Err("its mode is not modelled".to_owned()),
        };
        let sink = files::result(Register::RZ, 1).ok_or("no register")?;
        let (results, number) = match line.text.operands.len() {
            3 => ([self.result(line, 0, 1)?, self.result(line, 1, 1)?], 2),
            _ => ([sink, self.result(line, 0, 1)?], 1),
        };
        let predicate = self.plain_source(line, number, 1)?;
        self.emit(
            line,
            Action::Vote(mode),
            &[predicate],
            &results,
            Lanes::Path,
        );
        Ok(())
    }

    fn matching(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["ALL", "ANY", "U32", "U64"])?;
        let mode = if line.has("ALL") {
            MatchMode::All
        } else {
            MatchMode::Any
        };
        let words = if line.has("U64") { 2 } else { 1 };
        let last = line.text.operands.len().saturating_sub(1);
        let mut results = vec![self.result(line, last.saturating_sub(1), 1)?];
        if last == 2 {
            results.push(self.result(line, 0, 1)?);
        }
        let value = self.plain_source(line, last, words)?;
        self.emit(line, Action::Match(mode), &[value], &results, Lanes::Path);
        Ok(())
    }

    fn reduce(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["SUM", "MIN", "MAX", "AND", "OR", "XOR", "S32", "U32"])?;
        let all = [
            ("SUM", Reduction::Sum),
            ("MIN", Reduction::Min),
            ("MAX", Reduction::Max),
            ("OR", Reduction::Or),
            ("XOR", Reduction::Xor),
        ];
        let reduction = all.into_iter().find(|(name, _)| line.has(name));
        let reduction = reduction.map_or(Reduction::And, |(_, reduction)| reduction);
        let action = Action::Reduce {
            reduction,
            signed: line.has("S32"),
        };
        let result = self.result(line, 0, 1)?;
        let value = self.plain_source(line, 1, 1)?;
        self.emit(line, action, &[value], &[result], Lanes::Path);
        Ok(())
    }

    fn extremum(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["MIN", "MAX", "F32", "S32", "U32", "ABS", "NAN"])?;
        let from = match () {
            () if line.has("F32") => Format::F32,
            () if line.has("S32") => Format::S32,
            () => Format::U32,
        };
        let result = self.result(line, 0, 1)?;
        let (value, modifiers) = self.source(line, 1, 1)?;
        let magnitude: orison_ori::modifiers::ModifierSet =
            [orison_ori::modifiers::Modifier::Absolute]
                .into_iter()
                .collect();
        let absolute = line.has("ABS") || modifiers == magnitude;
        if !absolute && modifiers != orison_ori::modifiers::ModifierSet::NONE {
            return Err("a modifier of its operand is not modelled".to_owned());
        }
        let action = Action::Extremum(LaneExtremum {
            smallest: line.has("MIN"),
            from,
            absolute,
            nan_wins: line.has("NAN"),
        });
        self.emit(line, action, &[value], &[result], Lanes::Path);
        Ok(())
    }

    /// `DSETP.MIN`: which of two doubles is the minimum.
    fn choose_double(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&["MIN", "MAX", "AND"])?;
        if !line.register(4)?.is_constant() || self.plain_source(line, 4, 1)?.inverted {
            return Err("its predicate is not modelled".to_owned());
        }
        let results = [self.result(line, 0, 1)?, self.result(line, 1, 1)?];
        let (first, of_first) = self.source(line, 2, 2)?;
        let (second, of_second) = self.source(line, 3, 2)?;
        let operands = [first, second];
        let action = Action::Code(Code::Choose {
            smaller: line.has("MIN"),
            modifiers: [of_first, of_second],
        });
        self.emit(line, action, &operands, &results, Lanes::Path);
        Ok(())
    }

    fn elect(&mut self, line: &Line<'_>) -> Decoded {
        let among = self.plain_source(line, 2, 1)?;
        if !line.register(2)?.is_constant() || among.inverted {
            return Err("a choice among some lanes is not modelled".to_owned());
        }
        let results = [self.result(line, 0, 1)?, self.result(line, 1, 1)?];
        self.emit(
            line,
            Action::Elect { mask: None },
            &[],
            &results,
            Lanes::Path,
        );
        Ok(())
    }

    fn first_lane(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&[])?;
        let last = line.text.operands.len().saturating_sub(1);
        if last > 1 && !line.register(0)?.is_constant() {
            return Err("its predicate is not modelled".to_owned());
        }
        let result = self.result(line, last - usize::from(last > 0), 1)?;
        let value = self.plain_source(line, last, 1)?;
        self.emit(line, Action::FirstLane, &[value], &[result], Lanes::Path);
        Ok(())
    }

    /// The predicates that a mask selects.
    fn selected(&self, uniform: bool, mask: u32) -> Vec<Slot> {
        let file = if uniform {
            RegisterFile::UniformPredicate
        } else {
            RegisterFile::Predicate
        };
        let all = (0..7).filter(|bit| mask >> bit & 1 == 1);
        all.filter_map(|index| files::source(Register::new(file, index), 1))
            .collect()
    }

    fn mask_computation(
        &self,
        name: &str,
        mask: i64,
        groups: &[usize],
        (operands, results): (&[Kind], &[Kind]),
    ) -> Decoded<Action> {
        let description = Description {
            name,
            attribute: &|key| (key == "mask").then_some(Given::Number(mask)),
            groups,
            modifiers: &[],
            operands,
            results,
        };
        let computation = Computation::describe(self.context, &description);
        Ok(Action::Compute(computation.ok_or("nothing computes it")?))
    }

    fn predicates_to_register(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&[])?;
        let Part::AllPredicates { uniform } = *line.part(1)? else {
            return Err("its operands are not modelled".to_owned());
        };
        let mask = line.number(3)?;
        let predicates = self.selected(uniform, mask as u32);
        let result = self.result(line, 0, 1)?;
        let mut operands: Vec<Operand> = vec![self.plain_source(line, 2, 1)?];
        operands.extend(predicates.iter().map(|slot| plain(*slot)));
        let mut kinds = vec![Kind::R];
        kinds.extend(predicates.iter().map(|_| Kind::P));
        let groups = [1, predicates.len(), 0, 0];
        let action =
            self.mask_computation(ori::P2r::NAME, mask & 0x7f, &groups, (&kinds, &[Kind::R]))?;
        self.emit(
            line,
            action,
            &operands,
            &[result],
            lanes_of(&line.text.mnemonic),
        );
        Ok(())
    }

    fn register_to_predicates(&mut self, line: &Line<'_>) -> Decoded {
        line.only(&[])?;
        let Part::AllPredicates { uniform } = *line.part(0)? else {
            return Err("its operands are not modelled".to_owned());
        };
        let mask = line.number(2)?;
        let results = self.selected(uniform, mask as u32);
        let kinds = vec![Kind::P; results.len()];
        let value = self.plain_source(line, 1, 1)?;
        let action = self.mask_computation(
            ori::R2p::NAME,
            mask & 0x7f,
            &[1, 0, 0],
            (&[Kind::R], &kinds),
        )?;
        self.emit(
            line,
            action,
            &[value],
            &results,
            lanes_of(&line.text.mnemonic),
        );
        Ok(())
    }
}
