import { ReactionEmoji } from '@copydesk/protocol'
import { Popover, Toolbar } from 'radix-ui'
import type { RefObject } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Tooltip } from '../../../ui/tooltips/tooltip.tsx'
import { nameOfReaction, ReactionIcon } from './reaction-icons.tsx'
import { type ReactionsProps, useToggleReaction } from './use-toggle-reaction.ts'

type ReactionPickerProps = ReactionsProps & { anchor: RefObject<HTMLButtonElement | null>; onClose: () => void }

/** The choice of reactions above its button, which gets the focus back. */
export function ReactionPicker({ anchor, onClose, ...props }: ReactionPickerProps) {
  const toggle = useToggleReaction(props)
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLButtonElement>} />
      <Popover.Portal>
        <Popover.Content
          side="top"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t('Reactions')}
          onCloseAutoFocus={() => anchor.current?.focus()}
          className="pop z-50 rounded-full border border-line bg-surface p-1 shadow-raised"
        >
          <Toolbar.Root aria-label={t('Reactions')} className="flex">
            {ReactionEmoji.options.map((emoji) => (
              <Tooltip key={emoji} text={nameOfReaction(emoji)}>
                <Toolbar.Button
                  aria-label={nameOfReaction(emoji)}
                  onClick={() => {
                    toggle(emoji)
                    onClose()
                  }}
                  className="flex size-8 items-center justify-center rounded-full text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:size-10"
                >
                  <ReactionIcon emoji={emoji} size={17} />
                </Toolbar.Button>
              </Tooltip>
            ))}
          </Toolbar.Root>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
