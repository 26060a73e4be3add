import { type ReactNode, useRef } from 'react'
import { type Drafts, useDraftText } from './drafts.ts'
import { MessageBox } from './message-box.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { SelectionLine } from './selection-line.tsx'
import type { ChatCommand, ChatMode, ChatSelection } from './types.ts'

/** The context of the message box. */
export type ComposerOptions = {
  /** The selection; null if there is none, undefined if the host has no selections. */
  selection?: ChatSelection | null | undefined
  selectionTip?: string | undefined
  commands?: readonly ChatCommand[]
  mode?: ChatMode | undefined
  /** Wraps the message box, for example with a list that completes names. */
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

/** The input for a message to the agent. The text stays until the host has accepted it. */
export function Composer(props: ComposerProps) {
  const { label, drafts, isSending, problem, send, selection, commands = [], mode } = props
  const [text, setText] = useDraftText(drafts, key)
  const place = useRef<HTMLDivElement>(null)
  const submit = async (message: string) => {
    if (message.trim() === '') return
    const isTaken = await send(message.trim())
    // The user may have typed more text in the meantime.
    if (isTaken && drafts.get(key).trim() === message.trim()) setText('')
  }
  const use = (command: ChatCommand) => {
    if (!command.opens) return void send(command.text)
    // Text that was already typed becomes the argument of the command.
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
              {/* Never `disabled`: a disabled button would lose the focus. */}
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
