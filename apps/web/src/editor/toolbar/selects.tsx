import type { Editor } from '@tiptap/core'
import { Toolbar as Radix } from 'radix-ui'

const selectClass =
  'h-8 shrink-0 rounded-md border border-transparent bg-transparent pr-1 pl-2 text-sm text-ink hover:bg-hover'
const levels = [1, 2, 3, 4, 5, 6] as const

type SelectProps = { editor: Editor; value: string }

/** Makes the block at the caret a paragraph or a heading. */
export function BlockSelect({ editor, value }: SelectProps) {
  const apply = (chosen: string) => {
    const level = levels.find((candidate) => String(candidate) === chosen)
    if (level) editor.chain().focus().setHeading({ level }).run()
    else editor.chain().focus().setParagraph().run()
  }
  return (
    <Radix.Button asChild>
      <select
        aria-label="Block type"
        value={value}
        onChange={(event) => apply(event.target.value)}
        className={`${selectClass} w-28`}
      >
        <option value="" disabled hidden>
          Other
        </option>
        <option value="0">Text</option>
        {levels.map((level) => (
          <option key={level} value={String(level)}>
            Heading {level}
          </option>
        ))}
      </select>
    </Radix.Button>
  )
}

const languages: readonly (readonly [string, string])[] = [
  ['', 'Plain text'],
  ['bash', 'Bash'],
  ['c', 'C'],
  ['cpp', 'C++'],
  ['csharp', 'C#'],
  ['css', 'CSS'],
  ['diff', 'Diff'],
  ['go', 'Go'],
  ['html', 'HTML'],
  ['java', 'Java'],
  ['javascript', 'JavaScript'],
  ['json', 'JSON'],
  ['kotlin', 'Kotlin'],
  ['markdown', 'Markdown'],
  ['php', 'PHP'],
  ['python', 'Python'],
  ['ruby', 'Ruby'],
  ['rust', 'Rust'],
  ['sql', 'SQL'],
  ['swift', 'Swift'],
  ['typescript', 'TypeScript'],
  ['yaml', 'YAML'],
]

/** Sets the language of the code block at the caret. A language that isn't in the list is kept and shown as it is. */
export function LanguageSelect({ editor, value }: SelectProps) {
  const isKnown = languages.some(([name]) => name === value)
  return (
    <Radix.Button asChild>
      <select
        aria-label="Code language"
        value={value}
        onChange={(event) => {
          editor
            .chain()
            .focus()
            .updateAttributes('codeBlock', { language: event.target.value || null })
            .run()
        }}
        className={`${selectClass} w-28`}
      >
        {!isKnown && <option value={value}>{value}</option>}
        {languages.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </Radix.Button>
  )
}
