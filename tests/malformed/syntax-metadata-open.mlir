{-# dialect_resources: { builtin: {
