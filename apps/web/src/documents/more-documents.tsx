import { useEffect, useEffectEvent, useRef } from 'react'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'

type MoreDocumentsProps = { isLoading: boolean; problem: string | undefined; onMore: () => void }

/**
 * Loads the next page of the list: automatically when its button comes near the viewport, unless the last attempt
 * failed.
 */
export function MoreDocuments({ isLoading, problem, onMore }: MoreDocumentsProps) {
  const button = useRef<HTMLButtonElement>(null)
  const more = useEffectEvent(onMore)
  const isAutomatic = !isLoading && problem === undefined
  useEffect(() => {
    if (!isAutomatic || !button.current) return undefined
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && more(), {
      rootMargin: '600px',
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [isAutomatic])
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className="mt-4 text-center text-sm text-danger">
          {problem}
        </p>
      )}
      <div className="mt-4 flex justify-center">
        <Button ref={button} onClick={onMore} aria-disabled={isLoading}>
          {isLoading ? t('Loading…') : t('Show more')}
        </Button>
      </div>
    </>
  )
}
