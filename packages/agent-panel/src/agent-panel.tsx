import { type CSSProperties, type ReactNode, useId } from 'react'
import { Composer, type ComposerOptions } from './composer/composer.tsx'
import { Conversation, type ShownMessage } from './messages/conversation.tsx'
import { Chats } from './chats/chats.tsx'
import { Icon } from './common/icons.tsx'
import { PanelLanguage, type PanelLanguageOptions, useTexts } from './language/panel-language.tsx'
import type { ChatConversations } from './common/types.ts'
import { type AgentChatOptions, useChat } from './chat/use-chat.ts'

/** The props of the panel, besides those of the chat itself. */
export type AgentPanelProps = AgentChatOptions &
  PanelLanguageOptions &
  ComposerOptions & {
    isOpen: boolean
    onClose?: (() => void) | undefined
    /** In pixels. */
    width?: number
    /** `bare` fills the host's container, without width, border and heading. */
    frame?: 'panel' | 'bare'
    /** The label of the message box, if "Message" with the agent's name doesn't fit. */
    messageLabel?: string
    /** The conversations, if there are several; `messages` are the messages of the current one. */
    conversations?: ChatConversations | undefined
    /** Shown while the conversation is empty. */
    empty?: ReactNode
    /** Shown above the message box, such as a notice that no model is configured. */
    notice?: ReactNode
    /** The answer to scroll to. */
    shown?: ShownMessage | undefined
    /** Why this person can't write; shown instead of the message box. */
    sendDisabledReason?: string | undefined
    /** Why this person can't decide on steps that wait for approval. */
    decideDisabledReason?: string | undefined
  }

/** The chat with an agent. Independent of models and transports: all data and callbacks are props. */
export function AgentPanel(props: AgentPanelProps) {
  return (
    <PanelLanguage texts={props.texts} locale={props.locale}>
      <Panel {...props} />
    </PanelLanguage>
  )
}

function Panel(props: AgentPanelProps) {
  const texts = useTexts()
  const { isOpen, onClose, width = 360, frame = 'panel', agentName = texts.agent, empty, notice } = props
  const chat = useChat(props)
  const heading = useId()
  if (!isOpen) return null
  const content = (
    <>
      <Chats conversations={props.conversations}>
        <Conversation
          key={props.conversations?.current}
          entries={chat.entries}
          drafts={chat.drafts}
          decide={chat.decide}
          decideDisabledReason={props.decideDisabledReason}
          shown={props.shown}
          empty={empty}
        />
      </Chats>
      {notice && <div className="ap-notice">{notice}</div>}
      {props.sendDisabledReason === undefined ? (
        <Composer
          label={props.messageLabel ?? texts.messageTo(agentName)}
          drafts={chat.drafts}
          isSending={chat.isSending}
          problem={chat.sendProblem}
          send={chat.send}
          selection={props.selection}
          selectionTip={props.selectionTip}
          commands={props.commands ?? []}
          mode={props.mode}
          aroundBox={props.aroundBox}
        />
      ) : (
        <p className="ap-locked">{props.sendDisabledReason}</p>
      )}
    </>
  )
  if (frame === 'bare') return <div className="ap ap-bare">{content}</div>
  const style: CSSProperties = { width }
  return (
    <aside className="ap ap-panel" style={style} aria-labelledby={heading}>
      <div className="ap-panel-head">
        <h2 id={heading}>{agentName}</h2>
        {onClose && (
          <button
            type="button"
            className="ap-quiet"
            aria-label={texts.closePanel}
            title={texts.closePanel}
            onClick={onClose}
          >
            <Icon name="close" size={17} />
          </button>
        )}
      </div>
      {content}
    </aside>
  )
}
