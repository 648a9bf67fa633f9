//! Two instructions of real code, and the simulator's judgement of them at a distance.

use orison_sass::function::Function;
use orison_sass::listing::{self, Listing};

use crate::sass::latency::{Cell, LatencyModel};
use crate::sass::simulate::simulate;

/// Two dependent instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The text of the earlier one.
    pub from: String,
    /// The text of the later one.
    pub to: String,
    /// The listing, function and address of the later one; it begins with `armed ` if the pair is the
    /// arming of a scoreboard and the wait for it.
    pub place: String,
}

/// A function of the pair: the stall of the first instruction, and of `NOP`s after it, is the distance.
/// `None` if a text is not an instruction.
fn function(target: &str, instance: &Instance, distance: u32) -> Option<Function<'static>> {
    let waits = instance.place.starts_with("armed ");
    let (arms, wait) = if waits {
        ("0", "0-----")
    } else {
        ("-", "------")
    };
    let mut lines = Lines::new(target);
    let (mut left, mut text, mut arms) = (distance, instance.from.as_str(), arms);
    while left > 0 {
        let stall = left.min(15);
        lines.add(&format!("B------:R-:W{arms}:-:S{stall:02}"), text);
        (text, arms) = ("NOP", "-");
        left -= stall;
    }
    lines.add(&format!("B{wait}:R-:W-:-:S05"), &instance.to);
    let label = instance.to.split("`(").nth(1);
    if let Some((label, _)) = label.and_then(|rest| rest.split_once(')')) {
        lines.text.push_str(&format!("{label}:\n"));
    }
    lines.add("B------:R-:W-:-:S05", "EXIT");
    let functions = listing::parse(&lines.text).and_then(Listing::into_functions);
    functions.ok()?.into_iter().next()
}

/// The text of a listing.
struct Lines {
    text: String,
    address: u64,
}

impl Lines {
    fn new(target: &str) -> Lines {
        Lines {
            text: format!(".target {target}\n//---- .text.k ----\n"),
            address: 0,
        }
    }

    fn add(&mut self, control: &str, instruction: &str) {
        let address = self.address;
        let line = format!("/*{address:04x}*/ {instruction} ; /* {control} */\n");
        self.text.push_str(&line);
        self.address += 16;
    }
}

impl Instance {
    /// The cycles that hazards between the two require, when they issue at a distance; none of an
    /// instance whose text is not understood.
    pub fn hazards(&self, model: &LatencyModel, distance: u32) -> Vec<u32> {
        let Some(function) = function(model.name(), self, distance) else {
            return Vec::new();
        };
        let hazards = simulate(&function, model).hazards.into_iter();
        let between = hazards.filter(|hazard| hazard.producer == 0);
        between.map(|hazard| hazard.needed).collect()
    }

    /// What is wrong with a pair that issues at its least distance: it must not be a hazard there, and
    /// must be one a cycle earlier.
    pub fn check(&self, model: &LatencyModel, cycles: u32) -> Option<String> {
        let Instance { from, to, .. } = self;
        let at = self.hazards(model, cycles);
        if !at.is_empty() {
            return Some(format!(
                "real code issues `{from}` and `{to}` at {cycles}, which needs {at:?}"
            ));
        }
        let nearer = self.hazards(model, cycles.saturating_sub(1));
        if cycles > 1 && !nearer.contains(&cycles) {
            return Some(format!(
                "`{from}` and `{to}` may issue nearer than {cycles}: {nearer:?}"
            ));
        }
        None
    }

    /// Whether the pair holds a cell from both sides: under the model it is free of hazards at the
    /// distance and not nearer, and it is not free of them there when the cell is a cycle longer.
    pub fn holds(&self, model: &LatencyModel, cell: Cell, cycles: u32) -> bool {
        let higher = cell.perturbed(model, 1);
        self.check(model, cycles).is_none() && self.hazards(&higher, cycles).contains(&(cycles + 1))
    }
}
