import type { Webhook, WebhookDeliveryList } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchDeliveries, webhooksQuery } from '../../api/operators/webhooks.ts'
import { formatNumber } from '../../i18n/format.ts'
import { type EnglishText, t, tEach } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { optionsOf, Select } from '../../ui/fields/select.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { Delivery } from './delivery.tsx'
import { isUnderway } from './delivery-texts.ts'

const filters = {
  all: 'All deliveries',
  delivered: 'Delivered',
  open: 'Not delivered',
} as const satisfies Record<string, EnglishText>

// The number of deliveries that fit on a screen.
const shownAtFirst = 10

/**
 * The last deliveries of a webhook, updated while deliveries are being sent; all, or only the delivered or failed ones.
 */
export function WebhookLog({ webhook: { id } }: { webhook: Webhook }) {
  const log = useQuery({
    queryKey: [...webhooksQuery.queryKey, id],
    queryFn: ({ signal }) => fetchDeliveries(id, signal),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isUnderway) ? 1000 : 10_000),
    gcTime: 0,
  })
  return (
    <div className="rounded-lg border border-line">
      <Loaded query={log}>{(list) => <Deliveries webhook={id} list={list} />}</Loaded>
    </div>
  )
}

function Deliveries({ webhook, list: { deliveries, titles } }: { webhook: string; list: WebhookDeliveryList }) {
  const [filter, setFilter] = useState<keyof typeof filters>('all')
  const [showsAll, setShowsAll] = useState(false)
  const found = deliveries.filter(
    ({ state }) => filter === 'all' || (state === 'delivered') === (filter === 'delivered'),
  )
  const isEmpty = deliveries.length === 0
  return (
    <>
      {!isEmpty && (
        <div className="border-b border-line p-1">
          <Select label={t('Show')} value={filter} options={optionsOf(tEach(filters))} onChange={setFilter} />
        </div>
      )}
      {found.length === 0 && (
        <p className="p-3 text-sm text-ink-soft">
          {t(isEmpty ? 'Nothing has been sent yet.' : 'There are none of these.')}
        </p>
      )}
      <Rows label={t('Deliveries')} rows={showsAll ? found : found.slice(0, shownAtFirst)} className="ps-3 pe-1">
        {(delivery) => <Delivery key={delivery.id} webhook={webhook} delivery={delivery} titles={titles} />}
      </Rows>
      {!showsAll && found.length > shownAtFirst && (
        <div className="border-t border-line p-2">
          <Button size="small" className="pointer-coarse:h-10" onClick={() => setShowsAll(true)}>
            {t('Show all {count}', { count: formatNumber(found.length) })}
          </Button>
        </div>
      )}
    </>
  )
}
