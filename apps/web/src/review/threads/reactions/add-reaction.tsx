import { SmilePlus } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../../common/lazy-part.ts'
import { t } from '../../../i18n/translate.ts'
import type { ReactionsProps } from './use-toggle-reaction.ts'

const loadPicker = () => import('./reaction-picker.tsx')
const ReactionPicker = lazyPart(async () => (await loadPicker()).ReactionPicker)

/** A button that opens the choice of reactions; `className` styles it. */
export function AddReaction({ className, ...props }: ReactionsProps & { className: string }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={t('React to the comment by {name}', { name: props.comment.author.name })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={className}
        onPointerEnter={() => void loadPicker()}
        onClick={() => setOpen(true)}
      >
        <SmilePlus size={15} aria-hidden />
      </button>
      {isOpen && (
        <Suspense>
          <ReactionPicker {...props} anchor={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
