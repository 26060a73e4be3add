import type { Me } from '@copydesk/protocol'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { KeptList } from './kept-list.tsx'

export { keepTitles } from './kept-titles.ts'

type ListProblemProps = { me: Me; text: string; onRetry: () => void }

/** Shown instead of a list that can't be loaded: why, and the documents that this browser stores. */
export function ListProblem({ me, text, onRetry }: ListProblemProps) {
  return (
    <>
      <div role="alert" className="rounded-lg border border-danger/40 bg-danger-soft p-4 text-danger">
        <p>{text}</p>
        <Button className="mt-3" onClick={onRetry}>
          {t('Try again')}
        </Button>
      </div>
      <KeptList me={me} />
    </>
  )
}
