import { type ReactNode, useRef } from 'react'
import { type Drafts, useDraftText } from './drafts.ts'
import { MessageBox } from './message-box.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { SelectionLine } from './selection-line.tsx'
import type { ChatCommand, ChatMode, ChatSelection } from './types.ts'

/** What stands around the box in which a message is written. */
export type ComposerOptions = {
  /** What is selected; null when nothing is, undefined where there is nothing to select. */
  selection?: ChatSelection | null | undefined
  selectionTip?: string | undefined
  commands?: readonly ChatCommand[]
  mode?: ChatMode | undefined
  /** Puts something around the box, such as a list that completes names in it. */
  aroundBox?: ((box: ReactNode) => ReactNode) | undefined
}

type ComposerProps = ComposerOptions & {
  label: string
  drafts: Drafts
  isSending: boolean
  problem: string | undefined
  send: (text: string) => Promise<boolean>
}

const key = 'message'

/** Where a message to the agent is written. What was written stays until it was taken. */
export function Composer(props: ComposerProps) {
  const { label, drafts, isSending, problem, send, selection, commands = [], mode } = props
  const [text, setText] = useDraftText(drafts, key)
  const place = useRef<HTMLDivElement>(null)
  const submit = async (message: string) => {
    if (message.trim() === '') return
    const isTaken = await send(message.trim())
    // Somebody may have written on meanwhile.
    if (isTaken && drafts.get(key).trim() === message.trim()) setText('')
  }
  const use = (command: ChatCommand) => {
    if (!command.opens) return void send(command.text)
    // What is being written already is what it is about.
    if (!text.startsWith(command.text)) setText(command.text + text)
    place.current?.querySelector('textarea')?.focus()
    return undefined
  }
  const box = (
    <MessageBox
      label={label}
      placeholder={label}
      text={text}
      onText={setText}
      onSend={() => void submit(text)}
      busy={isSending}
      problem={problem}
    >
      {mode && <ModeSwitch mode={mode} />}
    </MessageBox>
  )
  return (
    <div ref={place} className="ap-composer">
      {commands.length > 0 && (
        <ul aria-label="Suggested requests" className="ap-commands">
          {commands.map((command) => (
            <li key={command.id}>
              {/* Never `disabled`: a button that is would lose the focus. */}
              <button
                type="button"
                className="ap-command"
                aria-disabled={isSending || undefined}
                onClick={() => {
                  if (!isSending) use(command)
                }}
              >
                {command.label}
              </button>
            </li>
          ))}
        </ul>
      )}
      {selection !== undefined && <SelectionLine selection={selection} tip={props.selectionTip} />}
      {props.aroundBox ? props.aroundBox(box) : box}
    </div>
  )
}
