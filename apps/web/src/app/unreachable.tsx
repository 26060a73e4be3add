import { describeError } from '../api/client.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { PageNotice } from '../ui/page-notice.tsx'

/** Says that the server is unreachable. */
export function Unreachable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <PageNotice title={t('Copydesk can’t be reached')} text={describeError(error)}>
      <Button look="primary" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </PageNotice>
  )
}
