/* Calls every function of orison.h, with good and bad arguments. */
#include "orison.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      printf("line %d: %s\n", __LINE__, #condition);                          \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

struct seen {
  int errors;
  char last[1024];
  char file[64];
  unsigned line;
};

static void on_diagnostic(OrisonSeverity severity, const char *file, uint32_t line,
                          uint32_t column, const char *message, void *user_data) {
  struct seen *seen = user_data;
  if (severity != ORISON_ERROR)
    return;
  seen->errors++;
  snprintf(seen->last, sizeof seen->last, "%s", message);
  snprintf(seen->file, sizeof seen->file, "%s", file ? file : "");
  seen->line = line;
}

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *user_data) {
  ++*(int *)user_data;
  return mlirLogicalResultSuccess();
}

static const char *SOURCE =
    "func.func @f(%a: i32) -> i32 {\n"
    "  %z = arith.constant 0 : i32\n"
    "  %s = arith.addi %a, %z : i32\n"
    "  return %s : i32\n"
    "}\n";

static void texts(OrisonSession *session, struct seen *seen) {
  OrisonModule *module = NULL;
  CHECK(orison_module_parse(session, "f.mlir", SOURCE, strlen(SOURCE), &module) == ORISON_SUCCESS);
  CHECK(orison_module_run(session, module, "builtin.module(canonicalize)") == ORISON_SUCCESS);
  OrisonString text;
  CHECK(orison_module_print(module, false, &text) == ORISON_SUCCESS);
  CHECK(text.length == strlen(text.data));
  CHECK(strstr(text.data, "return %arg0 : i32") != NULL);
  CHECK(strstr(text.data, "addi") == NULL);
  orison_string_destroy(text);
  CHECK(orison_module_print(module, true, &text) == ORISON_SUCCESS);
  CHECK(strstr(text.data, "\"func.return\"") != NULL);
  orison_string_destroy(text);
  CHECK(orison_module_run(session, module, "builtin.module(no-such-pass)") == ORISON_FAILURE);
  CHECK(seen->errors == 1 && strstr(seen->last, "no-such-pass") != NULL);
  orison_module_destroy(module);

  const char *broken = "func.func @f(\n";
  CHECK(orison_module_parse(session, "b.mlir", broken, strlen(broken), &module) == ORISON_FAILURE);
  CHECK(module == NULL && seen->errors == 2);
  CHECK(strcmp(seen->file, "b.mlir") == 0 && seen->line == 1);
  CHECK(orison_emit_irdl(session, "ori", &text) == ORISON_SUCCESS);
  CHECK(strstr(text.data, "irdl.dialect @ori {") != NULL);
  orison_string_destroy(text);
  CHECK(orison_emit_irdl(session, "arith", &text) == ORISON_FAILURE && text.data == NULL);
}

static void live_modules(OrisonSession *session, struct seen *seen) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirRegisterAllPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirContextLoadAllAvailableDialects(context);
  int diagnostics = 0;
  mlirContextAttachDiagnosticHandler(context, count, &diagnostics, NULL);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(SOURCE));
  CHECK(!mlirModuleIsNull(module));

  int before = seen->errors;
  CHECK(orison_run_pipeline(session, module, "builtin.module(nothing)") == ORISON_FAILURE);
  CHECK(seen->errors == before + 1);
  CHECK(orison_run_pipeline(session, module, "builtin.module(canonicalize)") == ORISON_SUCCESS);
  MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  /* The sum and the constant are gone. */
  CHECK(mlirOperationEqual(mlirBlockGetFirstOperation(body), mlirBlockGetTerminator(body)));
  CHECK(orison_run_pipeline_on_operation(session, function, "func.func(cse)") == ORISON_SUCCESS);

  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirPass pass;
  CHECK(orison_create_pass(session, "builtin.module(cse)", &pass) == ORISON_SUCCESS);
  mlirPassManagerAddOwnedPass(manager, pass);
  CHECK(orison_create_pass(session, "builtin.module(", &pass) == ORISON_FAILURE);
  MlirOpPassManager inner = mlirPassManagerGetAsOpPassManager(manager);
  const char *mixed = "canonicalize,orison{pipeline=builtin.module(canonicalize)},cse";
  CHECK(orison_add_pipeline(session, inner, mixed) == ORISON_SUCCESS);
  CHECK(orison_add_pipeline(session, inner, "orison{pipeline=x}") == ORISON_FAILURE);
  CHECK(mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);

  CHECK(orison_load_dialects(session, context, "nv_tileaa,nv_tileas,ori") == ORISON_SUCCESS);
  CHECK(orison_load_dialects(session, context, "cf") == ORISON_FAILURE);
  CHECK(mlirContextIsRegisteredOperation(
      context, mlirStringRefCreateFromCString("nv_tileas.async.pipeline.create_pipeline")));
  CHECK(diagnostics == 0);
  const char *wrong = "\"ori.errbar\"() {x} : () -> i32\n";
  MlirModule rejected = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(wrong));
  CHECK(mlirModuleIsNull(rejected) && diagnostics > 0);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
}

static void bad_arguments(OrisonSession *session) {
  OrisonModule *module = NULL;
  OrisonString text;
  MlirModule none = {NULL};
  CHECK(orison_module_parse(NULL, "f", "", 0, &module) == ORISON_INVALID_ARGUMENT);
  CHECK(orison_module_parse(session, NULL, "", 0, &module) == ORISON_INVALID_ARGUMENT);
  CHECK(orison_module_parse(session, "f", NULL, 0, &module) == ORISON_INVALID_ARGUMENT);
  CHECK(orison_module_parse(session, "f", "\xff", 1, &module) == ORISON_INVALID_ARGUMENT);
  CHECK(orison_module_parse(session, "f", "", 0, NULL) == ORISON_INVALID_ARGUMENT);
  CHECK(orison_module_run(session, NULL, "builtin.module(cse)") == ORISON_INVALID_ARGUMENT);
  CHECK(orison_module_print(NULL, false, &text) == ORISON_INVALID_ARGUMENT);
  CHECK(orison_run_pipeline(session, none, "builtin.module(cse)") == ORISON_INVALID_ARGUMENT);
  CHECK(orison_emit_irdl(session, NULL, &text) == ORISON_INVALID_ARGUMENT);
  orison_module_destroy(NULL);
  orison_session_destroy(NULL);
  OrisonString nothing = {NULL, 0};
  orison_string_destroy(nothing);
}

int main(void) {
  CHECK(strcmp(orison_version(), "0.1.0") == 0);
  struct seen seen = {0};
  OrisonSession *session = orison_session_create(on_diagnostic, &seen);
  texts(session, &seen);
  live_modules(session, &seen);
  bad_arguments(session);
  orison_session_destroy(session);
  OrisonSession *silent = orison_session_create(NULL, NULL);
  OrisonModule *module = NULL;
  CHECK(orison_module_parse(silent, "b.mlir", "%", 1, &module) == ORISON_FAILURE);
  orison_session_destroy(silent);
  printf("all good\n");
  return 0;
}
