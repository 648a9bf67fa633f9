//! Register pressure while a region is scheduled: which values are live.

/// The register classes that are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RegisterClass {
    /// General registers, `R`, 32 bits each.
    General,
    /// Predicates, `P`.
    Predicate,
    /// Uniform registers, `UR`, 32 bits each.
    Uniform,
    /// Uniform predicates, `UP`.
    UniformPredicate,
    /// Convergence barriers, `B`.
    Barrier,
    /// General registers of accumulators of matrix products.
    Accumulator,
}

impl RegisterClass {
    /// All, in the order of reports.
    pub const ALL: [RegisterClass; 6] = [
        RegisterClass::General,
        RegisterClass::Predicate,
        RegisterClass::Uniform,
        RegisterClass::UniformPredicate,
        RegisterClass::Barrier,
        RegisterClass::Accumulator,
    ];
}

/// Registers by class.
pub type Counts = [i32; RegisterClass::ALL.len()];

/// A value in registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// The class of its registers.
    pub class: RegisterClass,
    /// Their number.
    pub width: u16,
    /// Whether it is live before the region, so that no node defines it.
    pub live_in: bool,
    /// Whether it is live behind the region.
    pub live_out: bool,
}

/// The values of a region, and the nodes that define and use them.
#[derive(Clone, Debug)]
pub struct Registers {
    /// The most live registers of each class that an order may have; those beyond it are its excess.
    pub limits: Counts,
    values: Vec<Value>,
    /// The uses of each value, by node.
    uses: Vec<u32>,
    /// For each node, the values that it reads, each once, then those that it defines.
    reads: Vec<Vec<u32>>,
    defines: Vec<Vec<u32>>,
}

impl Default for Registers {
    /// None, without limits.
    fn default() -> Self {
        Registers::new(0)
    }
}

impl Registers {
    /// Those of a region with so many nodes, none yet, without limits.
    pub fn new(nodes: usize) -> Self {
        Registers {
            limits: [i32::MAX; RegisterClass::ALL.len()],
            values: Vec::new(),
            uses: Vec::new(),
            reads: vec![Vec::new(); nodes],
            defines: vec![Vec::new(); nodes],
        }
    }

    /// Whether no values are known.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of values.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// A value, by its number.
    pub fn value(&self, number: usize) -> Value {
        self.values[number]
    }

    /// The values that a node reads, each once.
    pub fn reads(&self, node: usize) -> &[u32] {
        &self.reads[node]
    }

    /// The values that it defines.
    pub fn defines(&self, node: usize) -> &[u32] {
        &self.defines[node]
    }

    /// Adds a value; returns its number.
    pub fn add(&mut self, value: Value) -> u32 {
        self.values.push(value);
        self.uses.push(0);
        super::narrow(self.values.len() - 1)
    }

    /// A node defines a value.
    pub fn define(&mut self, node: usize, value: u32) {
        self.defines[node].push(value);
    }

    /// A node reads a value.
    pub fn read(&mut self, node: usize, value: u32) {
        if !self.reads[node].contains(&value) {
            self.reads[node].push(value);
            self.uses[value as usize] += 1;
        }
    }

    /// The value is live behind the region.
    pub fn keep(&mut self, value: u32) {
        self.values[value as usize].live_out = true;
    }
}

/// The live registers at a place of an order.
#[derive(Clone, Debug)]
pub struct Pressure<'r> {
    registers: &'r Registers,
    /// The uses of each value that have not been issued.
    left: Vec<u32>,
    live: Counts,
    most: Counts,
}

impl<'r> Pressure<'r> {
    /// At the start of a region.
    pub fn new(registers: &'r Registers) -> Self {
        let mut live = Counts::default();
        for value in registers.values.iter().filter(|value| value.live_in) {
            live[value.class as usize] += i32::from(value.width);
        }
        Pressure {
            registers,
            left: registers.uses.clone(),
            live,
            most: live,
        }
    }

    /// The live registers.
    pub fn live(&self) -> &Counts {
        &self.live
    }

    /// The most live registers so far.
    pub fn most(&self) -> &Counts {
        &self.most
    }

    /// By how many registers of each class the live ones change when a node is issued.
    pub fn change(&self, node: usize) -> Counts {
        let [mut change, defined, _] = self.effect(node);
        for (change, defined) in change.iter_mut().zip(defined) {
            *change += defined;
        }
        change
    }

    /// The registers, by class, that a node frees (negative), those that it defines and are live behind it, and
    /// those that nothing reads.
    fn effect(&self, node: usize) -> [Counts; 3] {
        let mut effect = [Counts::default(); 3];
        for number in &self.registers.reads[node] {
            let value = &self.registers.values[*number as usize];
            if self.left[*number as usize] == 1 && !value.live_out {
                effect[0][value.class as usize] -= i32::from(value.width);
            }
        }
        for number in &self.registers.defines[node] {
            let value = &self.registers.values[*number as usize];
            let stays = self.left[*number as usize] > 0 || value.live_out;
            effect[if stays { 1 } else { 2 }][value.class as usize] += i32::from(value.width);
        }
        effect
    }

    /// Issues a node. Results that nothing reads count while it is issued.
    pub fn issue(&mut self, node: usize) {
        let [freed, defined, unused] = self.effect(node);
        for number in &self.registers.reads[node] {
            self.left[*number as usize] -= 1;
        }
        for class in 0..self.live.len() {
            self.live[class] += freed[class] + defined[class];
            self.most[class] = self.most[class].max(self.live[class] + unused[class]);
        }
    }

    /// The registers of all classes beyond the limits, where each class has the most.
    pub fn excess(&self) -> u64 {
        let classes = self.most.iter().zip(&self.registers.limits);
        let beyond = classes.map(|(most, limit)| most.saturating_sub(*limit).max(0));
        beyond.map(|count| u64::try_from(count).unwrap_or(0)).sum()
    }

    /// The most live registers of each class in an order.
    pub fn of(registers: &Registers, order: &[u32]) -> Counts {
        let mut pressure = Pressure::new(registers);
        for node in order {
            pressure.issue(*node as usize);
        }
        pressure.most
    }
}
