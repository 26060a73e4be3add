import type { Tool } from './define-tool.ts'
import { defaultLimits, type ToolLimits } from '../common/limits.ts'
import type { ToolErrorCode } from '../common/result.ts'
import { type JsonSchema, toolSchemas } from './tool-schemas.ts'

/**
 * The reference page of a catalogue as markdown: the part common to all tools, then each tool with its fields, types
 * and the effect of the mode, then the errors and the limits. A pure function: the same catalogue always gives the same
 * page.
 */
export function describeTools(catalogue: readonly Tool[], limits: Readonly<ToolLimits> = defaultLimits): string {
  const parts = [
    '# Tools of the agent',
    introduction,
    coordinates,
    overview(catalogue),
    ...catalogue.map(describeTool),
    describeErrors(),
    describeLimits(limits),
  ]
  return `${parts.join('\n\n')}\n`
}

const introduction = `What the agent can do in a document, and what a program gets that calls the same tools. This page is generated from the
catalogue in \`packages/tools\` by \`pnpm docs:tools\`; a test fails when it is out of date. For what people can say, see
[the agent](agent.md).

Every call answers with a text for the model, a short summary for people, and \`details\` for programs. A call that fails
changes nothing and says why and what to do next: see [Errors](#errors). What others have changed since the model was shown it
ends the text as one line, each change once. The names \`insertText\`, \`replaceText\` and \`applyFormatting\` work
as well.`

const coordinates = `## How places are named

- **Blocks** have numbers from 0, shown as \`[n]\`: every paragraph, heading and list item, each row of a table, each image, rule and
  formula, each code block as a whole. A number means the block that was shown under it, even if people have written above it since; a
  block that was deleted or rewritten by others is \`stale\`. Numbers are names, not positions: a block keeps its number while a run
  lasts, also when its text changes, and a new block gets a number above all others, with its place in words
  (\`[41], new, after [12]\`). A result shows the blocks that it changed, as they are after that very call.
- **Sections** have numbers from 0: section 0 is the title and what precedes the first heading 2, each heading 2 starts the next.
- **Texts** are found through formatting and whatever the quotation marks, dashes and spaces look like, and as reads show them: a
  whole table row, a code block with its fences, a link with its address, an image, a formula. Where a text occurs several times, \`occurrence\` names
  one; without it the call is \`ambiguous\`.
- **The selection** is what the person who asked has selected now, else what they had selected when they asked.
- Tools read the text as if all suggested changes were accepted.`

function overview(catalogue: readonly Tool[]): string {
  const rows = catalogue.map((tool) => `| [\`${tool.name}\`](#${tool.name}) | ${modeEffect(tool).brief} |`)
  return ['## All tools', ['| Tool | Changes the document |', '| --- | --- |', ...rows].join('\n')].join('\n\n')
}

function modeEffect({ name, changes, needs }: Tool): { brief: string; sentence: string } {
  if (needs === 'project-writing') {
    return {
      brief: 'no',
      sentence: 'Changes a file of the project, in every mode only after a person has approved it.',
    }
  }
  if (!changes) {
    return {
      brief: 'no',
      sentence: "Does not change the text, so the mode doesn't matter.",
    }
  }
  if (name.startsWith('suggest_')) {
    return {
      brief: 'as a suggestion, in every mode',
      sentence: 'Makes a tracked change in every mode and never waits.',
    }
  }
  if (name.startsWith('decide_')) {
    return {
      brief: 'yes; waits in mode `ask`',
      sentence: 'Takes effect at once in the modes `edit` and `suggest`; waits for approval in mode `ask`.',
    }
  }
  return {
    brief: 'yes; as the mode says',
    sentence:
      'Follows the mode: `edit` changes the text at once, `suggest` makes a tracked change, `ask` waits for approval.',
  }
}

function describeTool(tool: Tool): string {
  const { properties, required } = toolSchemas(tool).anthropic
  const fields = fieldsOf({ properties, required }, '')
  const input = fields.length === 0 ? 'It takes no input.' : fields.join('\n')
  return [`## ${tool.name}`, escape(tool.description), modeEffect(tool).sentence, input].join('\n\n')
}

function fieldsOf({ properties, required }: JsonSchema, indent: string): string[] {
  const needed = Array.isArray(required) ? required : []
  return Object.entries(asObject(properties)).flatMap(([name, value]) => {
    const schema = asObject(value)
    const { description } = schema
    const about = typeof description === 'string' ? `: ${escape(description)}` : ''
    const line = `${indent}- \`${name}\` (${describeType(schema)}${needed.includes(name) ? ', required' : ''})${about}`
    return [line, ...innerFields(schema, `${indent}  `)]
  })
}

function innerFields(schema: JsonSchema, indent: string): string[] {
  if (schema.type === 'object') return fieldsOf(schema, indent)
  const members = objectMembers(schema)
  return members.flatMap((member) => {
    const about = typeof member.description === 'string' ? `: ${escape(member.description)}` : ''
    return [`${indent}- \`${typeText(member)}\`${about}`, ...describedFields(member, `${indent}  `)]
  })
}

// The type of a union is already described; only fields with a description get a line.
function describedFields(member: JsonSchema, indent: string): string[] {
  return Object.entries(asObject(member.properties)).flatMap(([name, value]) => {
    const { description } = asObject(value)
    return typeof description === 'string' ? [`${indent}- \`${name}\`: ${escape(description)}`] : []
  })
}

function objectMembers({ anyOf }: JsonSchema): JsonSchema[] {
  return Array.isArray(anyOf) ? anyOf.map(asObject).filter(({ type }) => type === 'object') : []
}

function describeType(schema: JsonSchema): string {
  if (schema.type === 'object') return 'object'
  return objectMembers(schema).length > 0 ? 'one of these objects' : `\`${typeText(schema)}\``
}

function typeText(schema: JsonSchema): string {
  const { type, anyOf, items, properties, required, minimum, maximum } = schema
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `'${String(value)}'`).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeText(asObject(each))).join(' | ')
  if (type === 'array') return `${typeText(asObject(items))}[]`
  if (type === 'object') {
    const needed = Array.isArray(required) ? required : []
    const fields = Object.entries(asObject(properties)).map(([name, value]) => {
      return `${name}${needed.includes(name) ? '' : '?'}: ${typeText(asObject(value))}`
    })
    return `{${fields.join(', ')}}`
  }
  const range = [
    typeof minimum === 'number' ? `from ${minimum}` : '',
    typeof maximum === 'number' ? `to ${maximum}` : '',
  ].filter((part) => part !== '')
  return [String(type), ...range].join(' ')
}

// Descriptions are for models and mention markdown syntax; the page must show it literally.
function escape(text: string): string {
  return text.replaceAll(/[*[\]<|`\\]/g, String.raw`\$&`)
}

function asObject(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

const errors: Record<Exclude<ToolErrorCode, 'held'>, readonly [when: string, hint: string]> = {
  not_found: ["the text isn't there", 'up to three nearest texts that are ("Did you mean …?"), and to search'],
  ambiguous: ['several places match', 'the places, numbered, and how to name one'],
  stale: ['the block was deleted or rewritten since it was shown', 'to read it again'],
  out_of_range: ['a number beyond the end, or one that was never shown', 'the valid range'],
  no_selection: ['nothing is selected', 'to ask the person to select, or to name the text'],
  invalid_operation: ["what is asked can't be done there", 'what is possible instead'],
  invalid_position: ['nothing can be inserted there', 'to insert before or after it'],
  invalid_input: ["the arguments don't fit", 'the field, and what it takes'],
  too_large: ['over a limit', 'the limit, and how to go in parts'],
  not_configured: ['the server has nothing set up for it', 'what an operator sets'],
  denied: [
    "the caller's role doesn't allow it, or a path is outside the project, ignored or secret",
    'what is allowed',
  ],
  unknown_tool: ['no such tool in this run', 'the names of those that there are'],
  rejected: ['a person said no', 'their reason; to ask what they want instead'],
  unavailable: ['trouble with the document, the network or a service', 'the cause, and whether trying again helps'],
}

function describeErrors(): string {
  const rows = Object.entries(errors).map(([code, [when, hint]]) => `| \`${code}\` | ${when} | ${hint} |`)
  return ['## Errors', ['| Code | When | The hint says |', '| --- | --- | --- |', ...rows].join('\n')].join('\n\n')
}

const limitTexts: Record<keyof ToolLimits, string> = {
  readCharacters: 'characters that one reading call shows; it says where to continue',
  searchMatches: 'matches that a search shows, and places that an `ambiguous` error lists',
  selectionPreview: 'characters of the selection in `get_document_info`',
  findCharacters: 'characters of a text to find',
  insertCharacters: 'characters of new text in one call',
  changedCharacters: 'characters of changed blocks that a result shows',
  promptCharacters: 'characters up to which a document is in the system prompt as a whole',
  outlineHeadings: 'headings in the outline that the agent is given at the start',
  fileLines: 'lines that one `read_file` call shows; it says where to continue',
  fileCharacters: 'characters that one `read_file` or `search_files` call shows',
  fileEntries: 'files in one list',
  fileMatches: 'matches that `search_files` shows',
}

function describeLimits(limits: Readonly<ToolLimits>): string {
  const rows = Object.entries(limitTexts).map(([name, text]) => {
    const value = Object.entries(limits).find(([key]) => key === name)?.[1]
    return `| \`${name}\` | ${value?.toLocaleString('en') ?? ''} | ${text} |`
  })
  return [
    '## Limits',
    'An operator changes single ones on the page [Agent settings](settings.md), or with the environment variable `TOOL_LIMITS`, such as `TOOL_LIMITS=\'{"readCharacters": 4000}\'`.',
    ['| Name | Default | What |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}
