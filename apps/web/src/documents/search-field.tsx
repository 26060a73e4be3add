import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { navigate } from '../common/location.tsx'
import { useDebounced } from '../common/use-debounced.ts'
import { t } from '../i18n/translate.ts'
import { inputClass } from '../ui/fields/field.tsx'
import { type ListAddress, listPath } from './data/list-address.ts'

/** The words that the list is searched for. They get into the address after a pause in typing. */
export function SearchField({ address }: { address: ListAddress }) {
  const [text, setText] = useState(address.query)
  const [shown, setShown] = useState(address.query)
  // The address has changed by itself: another list, or *Back*.
  if (shown !== address.query) {
    setShown(address.query)
    if (text.trim() !== address.query) setText(address.query)
  }
  const settled = useDebounced(text.trim(), 200)
  const search = useEffectEvent((query: string) => {
    if (query === text.trim() && query !== address.query) navigate(listPath({ ...address, query }), { replace: true })
  })
  useEffect(() => search(settled), [settled])
  const placeholder = address.trash
    ? t('Search the trash')
    : address.folder === null
      ? t('Search titles and text')
      : t('Search this folder')
  return (
    <div className="relative min-w-48 flex-1 max-sm:basis-full">
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-faint"
      />
      <input
        type="search"
        aria-label={t('Search documents')}
        placeholder={placeholder}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${inputClass} pl-9`}
      />
    </div>
  )
}
