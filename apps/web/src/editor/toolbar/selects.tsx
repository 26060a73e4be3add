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
