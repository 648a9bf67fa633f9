//! Products in flight: started by `async.dot`, waited for by `async.wait`.

use orison_ir::{Operation, Value};
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::types;

use super::agents::AgentWriter;

impl AgentWriter<'_, '_> {
    /// Starts a product in the region that waits for it.
    pub(super) fn start_product(&mut self, op: Operation) {
        let started = self.product(op);
        let sum = op.result(self.ir(), 0);
        let result = self.emitter.result(started, 0);
        self.mapping.map(sum, result);
        let token = self.emitter.result(started, 1);
        self.products.insert(op, token);
    }

    /// Creates the operation that starts a product.
    pub(super) fn product(&mut self, op: Operation) -> Operation {
        let here = self.emitter.location;
        self.emitter.location = op.location(self.ir());
        let operands: Vec<Value> = op.operands(self.ir()).collect();
        let operands: Vec<Value> = operands.iter().map(|v| self.mapping.lookup(*v)).collect();
        let sum = op.result(self.ir(), 0);
        let name = nv_tileas::AsyncDot::NAME;
        let types = [
            self.emitter.type_of(sum),
            self.emitter.ty(&types::ASYNC_TOKEN_TYPE),
        ];
        let started = self.emitter.create(name, &operands, &types, &[], 0);
        let properties = op.properties(self.ir());
        started.set_properties(self.emitter.builder.context(), properties);
        self.emitter.copy_schedule(op, started);
        self.emitter.location = here;
        started
    }

    /// Waits for a product: its result can be used, and its operands overwritten.
    pub(super) fn await_product(&mut self, op: Operation) {
        if let Some(token) = self.products.remove(&op) {
            self.emitter
                .create(nv_tileas::AsyncWait::NAME, &[token], &[], &[], 0);
        }
    }
}
