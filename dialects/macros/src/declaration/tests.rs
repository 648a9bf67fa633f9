use super::*;

fn operations(text: &str) -> Result<Vec<Operation>, String> {
    let tokens = text.parse().expect("tokens");
    let invocation = parse(tokens).map_err(|error| error.into_tokens().to_string())?;
    Ok(invocation.operations)
}

fn one(text: &str) -> Body {
    let mut all = operations(text).expect("a declaration without errors");
    assert_eq!(all.len(), 1);
    all.remove(0).body
}

fn names(parts: &[Part]) -> Vec<String> {
    parts.iter().map(|part| part.name.to_string()).collect()
}

fn texts(streams: &[TokenStream]) -> Vec<String> {
    streams.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn error(text: &str, message: &str) {
    let found = operations(text).err().unwrap_or_default();
    assert!(found.contains(message), "{found}");
}

const SHARED: &str = r#"
    base {
        operands { guard: optional(P) }
        attributes { last = "last": optional(UnitAttr) }
        with { traits: &[Sized], verify: Some(machine), effects: Unknown }
    }
    group address {
        operands { base: one(A) }
        attributes { offset = "offset": default(I32Attr, 0) }
        with { verify: Some(in_range), effects: Read }
    }
    group loaded(SET) { results { value: one(SET) } with { traits: &[Load, Pure] } }
"#;

#[test]
fn parts_of_groups_come_first_and_those_of_the_base_last() {
    let text = r#"op Load = "x.load": address + loaded(R) {
        operands { mask: variadic(M) }
        attributes { width = "width": required(WidthAttr) }
    }"#;
    let body = one(&format!("{SHARED} {text}"));
    assert_eq!(names(&body.operands), ["base", "mask", "guard"]);
    assert_eq!(names(&body.results), ["value"]);
    assert_eq!(body.results[0].constraint.to_string(), "R");
    let keys: Vec<_> = body
        .attributes
        .iter()
        .map(|part| part.key.to_string())
        .collect();
    assert_eq!(keys, ["\"width\"", "\"offset\"", "\"last\""]);
}

#[test]
fn traits_and_verifiers_are_joined_and_other_fields_replaced() {
    let text = r#"op Load = "x.load": address + loaded(R) {
        with { verify: Some(own), traits: &[Own], effects: Write, fold: Some(fold) }
    }"#;
    let body = one(&format!("{SHARED} {text}"));
    assert_eq!(texts(&body.traits), ["Sized", "Load", "Pure", "Own"]);
    assert_eq!(texts(&body.verifiers), ["machine", "in_range", "own"]);
    let fields: Vec<_> = body
        .fields
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    assert_eq!(fields, ["effects: Write", "fold: Some (fold)"]);
    let body = one(&format!("{SHARED} op Load = \"x.load\": address;"));
    assert_eq!(body.fields[0].1.to_string(), "Read");
}

#[test]
fn arguments_are_any_tokens_without_a_comma() {
    let text = r#"
        group binary(FOLD, RULES) { with { fold: Some(FOLD), rules: RULES } }
        op Add = "x.add": binary(fold::add, &[&A, &B]);
    "#;
    let fields = one(text).fields;
    assert_eq!(fields[0].1.to_string(), "Some (fold :: add)");
    assert_eq!(fields[1].1.to_string(), "& [& A , & B]");
}

#[test]
fn errors_say_what_is_expected() {
    let op = |body: &str| format!("op X = \"x.x\" {{ {body} }}");
    error("thing X", "expected 'op', 'group', 'base' or 'list'");
    error("op X \"x.x\" {}", "expected '='");
    error("op X = x {}", "expected the name of the operation");
    error("op X = \"x.x\"", "expected ';'");
    error("op X = \"x.x\": missing;", "no group above has this name");
    error("group g {} group g {}", "a group has this name already");
    error(
        "group g(A) {} op X = \"x.x\": g;",
        "expected 1 arguments, found 0",
    );
    error(
        &op("operands { a: one(A) } inputs {}"),
        "expected one of operands",
    );
    error(
        &op("operands { a: two(A) }"),
        "expected one of one, optional, variadic",
    );
    error(
        &op("regions { a: optional(A) }"),
        "expected one of one, variadic",
    );
    error(
        &op("successors { a: optional }"),
        "expected one of one, variadic",
    );
    error(
        &op("operands { a: one }"),
        "expected the constraint in parentheses",
    );
    error(&op("operands { a: one(A) b: one(A) }"), "expected ','");
    error(&op("attributes { a: one(A) }"), "expected '='");
    error(
        &op("attributes { a = \"a\": default(A) }"),
        "a default value belongs to 'default'",
    );
    error(
        &op("attributes { a = \"a\": required(A, 1) }"),
        "a default value belongs to 'default'",
    );
    error(&op("with { traits: ALL }"), "expected '&[…]'");
    error(&op("with { verify: check }"), "expected 'Some(…)'");
    error("#[inline] op X = \"x.x\" {}", "expected 'doc'");
}

#[test]
fn the_list_may_have_a_name_and_only_one() {
    let list = |text: &str| {
        let invocation = parse(text.parse().expect("tokens")).map_err(|_| "an error");
        invocation.expect("a declaration without errors").list
    };
    let named = list("/// All of them.\nlist ALL; op A = \"x.a\";");
    let (name, documentation) = named.expect("a list");
    assert_eq!(name, "ALL");
    assert_eq!(texts(&documentation), ["\" All of them.\""]);
    assert!(list("op A = \"x.a\";").is_none());
    error("list ALL; list MORE;", "there is a list already");
    error("list ALL op", "expected ';'");
}
