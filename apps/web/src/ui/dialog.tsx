import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useSyncExternalStore } from 'react'
import { t } from '../i18n/translate.ts'
import { IconButton } from './button.tsx'

type DialogWindowProps = Omit<ComponentProps<typeof Radix.Content>, 'onOpenAutoFocus' | 'onCloseAutoFocus'> & {
  open?: boolean
  onClose: () => void
  /** The overlay of the page around the dialog. */
  cover?: keyof typeof covers
  /**
   * Whether the window itself gets the focus, as in a sheet. By default its first button gets it, whose tooltip would
   * open, or its first field, which opens an on-screen keyboard.
   */
  takesFocus?: boolean
  /** Called after the dialog is closed, to return the focus. */
  returnFocus: () => void
}

const covers = { dim: 'bg-black/40', dark: 'bg-black/90', none: '' } as const

/**
 * A dialog over the page that keeps the focus until it is closed. A `DialogTitle` in its content is its accessible
 * name.
 */
export function DialogWindow(props: DialogWindowProps) {
  const { open = true, onClose, cover = 'dim', takesFocus = false, returnFocus, ...content } = props
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        {cover !== 'none' && <Radix.Overlay className={`fixed inset-0 z-40 ${covers[cover]}`} />}
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => takesFocus && focusItself(event)}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            returnFocus()
          }}
          {...content}
        />
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The title of a `DialogWindow`. */
export const DialogTitle = Radix.Title

type DialogProps = {
  title: string
  open?: boolean
  onClose: () => void
  returnFocusTo: HTMLElement | null
  /** Whether the dialog contains more than a question; it then has a close button. */
  wide?: boolean
  children: ReactNode
}

/** A dialog in the middle of the page; closing it returns the focus to `returnFocusTo`. */
export function Dialog({ title, returnFocusTo, wide = false, children, ...rest }: DialogProps) {
  return (
    <DialogWindow
      {...rest}
      returnFocus={() => returnFocusTo?.focus()}
      className={`pop fixed left-1/2 z-50 max-h-[calc(100dvh-2rem)] -translate-x-1/2 overflow-y-auto rounded-xl border border-line bg-surface p-5 shadow-raised ${wide ? 'top-[min(10vh,4rem)] w-[min(37rem,calc(100vw-1rem))]' : 'top-[20vh] w-[min(26rem,calc(100vw-2rem))]'}`}
    >
      <DialogTitle dir="auto" className={`mb-3 text-base break-words font-semibold ${wide ? 'me-9' : ''}`}>
        {title}
      </DialogTitle>
      {children}
      {wide && (
        // Last, so that the first field gets the focus.
        <IconButton label={t('Close')} icon={X} onClick={rest.onClose} className="absolute! end-3 top-3" />
      )}
    </DialogWindow>
  )
}

type SheetProps = {
  title: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The button that opens the sheet, and gets the focus back; without one `onCloseAutoFocus` returns it. */
  trigger?: ReactNode
  /** Classes that set the height. */
  className: string
  /**
   * The label of the close button; without one `children` contain their own header, and the title is for screen readers
   * only.
   */
  closeLabel?: string
  onCloseAutoFocus?: (event: Event) => void
  children: ReactNode
}

/**
 * A sheet that covers the page from below if there is no space next to the text; keeps the focus until it is closed.
 */
export function Sheet({ title, open, onOpenChange, trigger, className, closeLabel, children, ...rest }: SheetProps) {
  const keyboard = useSyncExternalStore(followKeyboard, keyboardHeight)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          tabIndex={-1}
          onOpenAutoFocus={focusItself}
          style={keyboard > 0 ? { bottom: keyboard } : undefined}
          {...rest}
          className={`pop fixed inset-x-0 bottom-0 z-40 flex flex-col overflow-hidden rounded-t-2xl border-t border-line bg-surface shadow-raised outline-none ${className}`}
        >
          {closeLabel === undefined ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <div className="flex items-center justify-between border-b border-line py-1 ps-5 pe-2">
              <Radix.Title className="text-sm font-semibold">{title}</Radix.Title>
              <IconButton label={closeLabel} onClick={() => onOpenChange(false)} icon={X} />
            </div>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

// In pixels; 0 if the keyboard makes the page smaller instead of covering it.
function keyboardHeight(): number {
  if (!visualViewport || visualViewport.scale !== 1) return 0
  return Math.max(0, Math.round(innerHeight - visualViewport.height - visualViewport.offsetTop))
}

function followKeyboard(listener: () => void): () => void {
  visualViewport?.addEventListener('resize', listener)
  visualViewport?.addEventListener('scroll', listener)
  return () => {
    visualViewport?.removeEventListener('resize', listener)
    visualViewport?.removeEventListener('scroll', listener)
  }
}

function focusItself(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
