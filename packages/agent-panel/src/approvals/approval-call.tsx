import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { ActionButton } from '../common/action-button.tsx'
import { approve, type Decide, rejection } from './decisions.ts'
import { type Drafts, editKey, useDraftText } from '../common/drafts.ts'
import { Icon } from '../common/icons.tsx'
import { useTexts } from '../language/panel-language.tsx'
import { focusAction, RejectForm } from './reject-form.tsx'
import { TextPairView } from '../steps/text-pairs.tsx'
import type { PanelTexts } from '../language/texts.ts'
import type { ChatAction, ChatStep } from '../common/types.ts'
import type { Blocked } from './use-blocked.ts'
import { useFocusFallback } from '../common/use-focus-fallback.ts'

type ApprovalCallProps = {
  step: ChatStep
  isOnly: boolean
  blocked: Blocked
  drafts: Drafts
  decide: Decide
  disabledReason?: string | undefined
}

type Doing = 'looking' | 'editing' | 'rejecting'

/** One of the changes of an approval card: the proposed change, its text to edit, and the buttons to decide. */
export function ApprovalCall({ step, isOnly, blocked, drafts, decide, disabledReason }: ApprovalCallProps) {
  const texts = useTexts()
  const { edited, isEmpty, edit, setEdited } = useEditedText(step, drafts, blocked, texts)
  const [doing, setDoing] = useState<Doing>('looking')
  const item = useRef<HTMLLIElement>(null)
  useFocusFallback(item)
  useFocusReturned(item, doing)
  const isEdited = edited !== '' && edited !== step.text
  const done = () => {
    blocked.note(step.id, undefined)
    setDoing('looking')
  }
  return (
    <li ref={item} className="ap-call" data-tool={step.tool}>
      {step.review?.(edited, setEdited, (reason) => blocked.note(step.id, reason)) ?? (
        <Change step={step} edited={doing === 'editing' ? undefined : isEdited ? edited : ''} />
      )}
      {doing === 'editing' && (
        <EditField text={isEmpty ? '' : edited || (step.text ?? '')} onText={edit} onDone={done} />
      )}
      {step.warning !== undefined && <Warning text={step.warning} />}
      {doing === 'rejecting' ? (
        <RejectForm
          draftKey={`reject ${step.id}`}
          drafts={drafts}
          label={texts.reject}
          onCancel={() => setDoing('looking')}
          onReject={(reason) => decide([rejection(step.id, reason)])}
        />
      ) : (
        <div role="group" aria-label={texts.thisChange} className="ap-actions">
          {callActions(
            step,
            texts,
            {
              isOnly,
              isEditing: doing === 'editing',
              isEdited,
              blockedReason: blocked.reason(step.id),
              disabledReason,
            },
            {
              approve: () => approve([step], drafts, decide),
              edit: () => setDoing('editing'),
              done,
              reset: () => {
                edit('')
                done()
              },
              reject: () => setDoing('rejecting'),
            },
          ).map((action) => (
            <ActionButton key={action.id} action={action} />
          ))}
        </div>
      )}
    </li>
  )
}

/** After editing or rejecting, the focus returns to the button that opened the form. */
function useFocusReturned(item: RefObject<HTMLLIElement | null>, doing: Doing): void {
  const before = useRef(doing)
  useEffect(() => {
    if (doing === 'looking' && before.current === 'editing') focusAction(item.current, 'edit')
    if (doing === 'looking' && before.current === 'rejecting') focusAction(item.current, 'reject-one')
    before.current = doing
  }, [item, doing])
}

function useEditedText({ id }: ChatStep, drafts: Drafts, blocked: Blocked, { emptyText }: PanelTexts) {
  const [edited, setEdited] = useDraftText(drafts, editKey(id))
  const edit = (next: string) => {
    blocked.note(id, next === '' ? emptyText : undefined)
    setEdited(next)
  }
  return { edited, isEmpty: blocked.reason(id) === emptyText, edit, setEdited }
}

type CallState = {
  isOnly: boolean
  isEditing: boolean
  isEdited: boolean
  blockedReason: string | undefined
  disabledReason: string | undefined
}

type CallHandlers = {
  approve: () => Promise<void>
  edit: () => void
  done: () => void
  reset: () => void
  reject: () => void
}

function callActions(step: ChatStep, texts: PanelTexts, state: CallState, on: CallHandlers): ChatAction[] {
  const { isOnly, isEditing, isEdited, blockedReason, disabledReason } = state
  const edit: ChatAction[] = []
  if (step.text !== undefined && isEditing) edit.push({ id: 'done', label: texts.doneEditing, run: on.done })
  if (step.text !== undefined && !isEditing) {
    edit.push({ id: 'edit', label: texts.edit, disabledReason, run: on.edit })
  }
  if (isEdited) edit.push({ id: 'reset', label: texts.useOriginal, run: on.reset })
  const label = isEdited ? texts.approveEdited : texts.approve
  const look = isOnly ? 'primary' : 'plain'
  return [
    {
      id: 'approve-one',
      label,
      look,
      disabledReason: disabledReason ?? blockedReason,
      run: on.approve,
    },
    ...edit,
    { id: 'reject-one', label: texts.reject, disabledReason, run: on.reject },
  ]
}

function Warning({ text }: { text: string }) {
  return (
    <p role="status" className="ap-warning">
      <Icon name="alert" size={15} />
      <span>{text}</span>
    </p>
  )
}

/**
 * The proposed change of a call; undefined instead of `edited` while it is being edited, '' for the call's own text.
 */
function Change({ step, edited }: { step: ChatStep; edited: string | undefined }) {
  return (
    <>
      <p dir="auto" className={isTold(step) ? 'ap-hidden' : 'ap-call-title'}>
        {step.title}
      </p>
      {edited === '' && step.proposal && <Proposal step={step} />}
      {edited !== undefined && edited !== '' && <TextPairView pair={{ before: step.text ?? '', after: edited }} />}
    </>
  )
}

/**
 * Whether the title of an edit says no more than the text shown below it, such as `lamp → lamps` or
 * `Insert "A lamp …"`. That of a search or a decision says what is done with the text.
 */
function isTold({ title, tool = '', proposal = [] }: ChatStep): boolean {
  const [pair, ...more] = proposal
  if (!/^(?:edit_document|replace_text|insert_text|suggest_\w+)$/.test(tool) || !pair || more.length > 0) return false
  const { before, after } = pair
  const [, quoted] = /["“„](.+?)\s*…?["”“]/.exec(title) ?? []
  const isOne = before === '' || after === ''
  return title === `${before} → ${after}` || (isOne && quoted !== undefined && (before || after).startsWith(quoted))
}

function Proposal({ step }: { step: ChatStep }) {
  const texts = useTexts()
  return (
    <div className="ap-proposal" tabIndex={0} role="group" aria-label={texts.proposedChange}>
      {step.proposal?.map((pair, index) => (
        <TextPairView key={index} pair={pair} />
      ))}
    </div>
  )
}

function EditField({ text, onText, onDone }: { text: string; onText: (text: string) => void; onDone: () => void }) {
  const id = useId()
  const texts = useTexts()
  return (
    <>
      <label htmlFor={id} className="ap-soft">
        {texts.editedText}
      </label>
      <textarea
        id={id}
        dir="auto"
        autoFocus
        rows={Math.min(10, text.split('\n').length + 1)}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
          event.stopPropagation()
          onDone()
        }}
        className="ap-input"
      />
    </>
  )
}
