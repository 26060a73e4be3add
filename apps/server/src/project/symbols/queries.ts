/*
 * Queries for the symbols of a file, a constant for each grammar. The captures, which arrive in the order of the text:
 *
 * - `function`, `class`, `variable`: the name of a definition.
 * - `scope`: a node around other definitions. The first definition in it gives it its name, or `in` does.
 * - `import`: a statement that imports; in it `from` is a specifier, `relative` one in the same folder, `mod` a module
 *   of Rust, and `name` a name that the statement makes available.
 * - Names that begin with `_` are for conditions.
 */

const ecmascript = `
(function_declaration name: (_) @function) @scope
(generator_function_declaration name: (_) @function) @scope
(class_declaration name: (_) @class) @scope
(method_definition name: (_) @function) @scope
(variable_declarator name: (identifier) @function value: [(arrow_function) (function_expression)]) @scope
(program (lexical_declaration (variable_declarator name: (identifier) @variable)))
(program (variable_declaration (variable_declarator name: (identifier) @variable)))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @variable))))
(assignment_expression
  left: (member_expression property: (property_identifier) @function)
  right: [(arrow_function) (function_expression)]) @scope
(import_statement source: (string) @from) @import
(import_clause (identifier) @name)
(namespace_import (identifier) @name)
(import_specifier name: (_) @name)
(import_specifier alias: (_) @name)
(export_statement source: (string) @from) @import
(call_expression function: (import) arguments: (arguments . (string) @from)) @import
((call_expression function: (identifier) @_require arguments: (arguments . (string) @from)) @import
  (#eq? @_require "require"))`

export const javascript = `${ecmascript}
(field_definition property: (_) @variable)`

export const typescript = `${ecmascript}
(abstract_class_declaration name: (_) @class) @scope
(interface_declaration name: (_) @class) @scope
(type_alias_declaration name: (_) @class)
(enum_declaration name: (_) @class) @scope
(enum_body name: (_) @variable)
(enum_assignment name: (_) @variable)
(internal_module name: (_) @class) @scope
(module name: (_) @class) @scope
(function_signature name: (_) @function)
(method_signature name: (_) @function)
(abstract_method_signature name: (_) @function)
(public_field_definition name: (_) @variable)
(import_require_clause (identifier) @name source: (string) @from) @import`

export const python = `
(function_definition name: (_) @function) @scope
(class_definition name: (_) @class) @scope
(module (expression_statement (assignment left: (identifier) @variable)))
(class_definition body: (block (expression_statement (assignment left: (identifier) @variable))))
(import_statement) @import
(import_statement name: (dotted_name) @from)
(import_statement name: (aliased_import name: (dotted_name) @from alias: (_) @name))
(import_from_statement module_name: (_) @from) @import
(import_from_statement name: (dotted_name) @name)
(import_from_statement name: (aliased_import name: (dotted_name) @name))
(import_from_statement name: (aliased_import alias: (_) @alias))`

export const go = `
(function_declaration name: (_) @function) @scope
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @in
  (pointer_type [(type_identifier) @in (generic_type type: (type_identifier) @in)])
  (generic_type type: (type_identifier) @in)])) name: (_) @function) @scope
(type_spec name: (_) @class) @scope
(type_alias name: (_) @class)
(method_elem name: (_) @function)
(field_declaration name: (_) @variable)
(source_file (var_declaration (var_spec name: (_) @variable)))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @variable))))
(source_file (const_declaration (const_spec name: (_) @variable)))
(import_spec path: (_) @from) @import
(import_spec name: (package_identifier) @name)`

export const rust = `
(function_item name: (_) @function) @scope
(function_signature_item name: (_) @function)
(macro_definition name: (_) @function)
(struct_item name: (_) @class) @scope
(enum_item name: (_) @class) @scope
(union_item name: (_) @class) @scope
(trait_item name: (_) @class) @scope
(type_item name: (_) @class)
(impl_item type: [(type_identifier) @in (generic_type type: (type_identifier) @in)]) @scope
(mod_item name: (_) @class body: (_)) @scope
(const_item name: (_) @variable)
(static_item name: (_) @variable)
(enum_variant name: (_) @variable)
(mod_item name: (identifier) @mod !body) @import
(use_declaration argument: (_) @from) @import
(extern_crate_declaration name: (identifier) @from) @import`

export const java = `
(class_declaration name: (_) @class) @scope
(interface_declaration name: (_) @class) @scope
(enum_declaration name: (_) @class) @scope
(record_declaration name: (_) @class) @scope
(annotation_type_declaration name: (_) @class) @scope
(method_declaration name: (_) @function)
(constructor_declaration name: (_) @function)
(field_declaration declarator: (variable_declarator name: (_) @variable))
(enum_constant name: (_) @variable)
(package_declaration [(scoped_identifier) (identifier)] @package)
(import_declaration) @import @from`

export const cpp = `
(function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @function)
(function_declarator declarator: (qualified_identifier scope: (_) @in name: (_) @function)) @scope
(class_specifier name: (type_identifier) @class body: (_)) @scope
(struct_specifier name: (type_identifier) @class body: (_)) @scope
(union_specifier name: (type_identifier) @class body: (_)) @scope
(enum_specifier name: (type_identifier) @class body: (_)) @scope
(type_definition declarator: (type_identifier) @class)
(alias_declaration name: (_) @class)
(namespace_definition name: (_) @class) @scope
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @variable)))
(translation_unit (declaration declarator: (identifier) @variable))
(field_declaration declarator: (field_identifier) @variable)
(enumerator name: (_) @variable)
(preproc_def name: (_) @variable)
(preproc_function_def name: (_) @function)
(preproc_include path: (_) @from) @import`

export const ruby = `
(method name: (_) @function)
(singleton_method name: (_) @function)
(class name: (_) @class) @scope
(module name: (_) @class) @scope
(assignment left: (constant) @variable)
((call method: (identifier) @_attr arguments: (argument_list (simple_symbol) @function))
  (#match? @_attr "^attr_(reader|writer|accessor)$"))
((call method: (identifier) @_require arguments: (argument_list . (string) @from)) @import
  (#match? @_require "^(require|load)$"))
((call method: (identifier) @_require arguments: (argument_list . (string) @relative)) @import
  (#eq? @_require "require_relative"))`

export const php = `
(function_definition name: (_) @function)
(method_declaration name: (_) @function)
(class_declaration name: (_) @class) @scope
(interface_declaration name: (_) @class) @scope
(trait_declaration name: (_) @class) @scope
(enum_declaration name: (_) @class) @scope
(property_element name: (_) @variable)
(const_element . (name) @variable)
(enum_case name: (_) @variable)
(namespace_definition name: (_) @package)
(namespace_use_declaration) @import @from
${['include', 'include_once', 'require', 'require_once']
  .flatMap((word) => [
    `(${word}_expression [(string) (encapsed_string)] @from) @import`,
    `(${word}_expression (binary_expression right: [(string) (encapsed_string)] @relative)) @import`,
  ])
  .join('\n')}`
