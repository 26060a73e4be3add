import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountKey, meKey } from './query-client.ts'

const channelName = 'copydesk own'

/** Tells the windows of this browser that the caller is called otherwise now, see `useOwnNews`. */
export function tellOwnWindows(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** Asks anew who the caller is when another window has changed that: their name stands in every window's header. */
export function useOwnNews(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const channel = new BroadcastChannel(channelName)
    channel.addEventListener('message', () => {
      for (const queryKey of [meKey, accountKey]) void queryClient.invalidateQueries({ queryKey })
    })
    return () => channel.close()
  }, [queryClient])
}
