import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountKey, meKey } from '../query-client.ts'

const channelName = 'copydesk own'

/** Notifies the other windows of this browser that the caller's name has changed, see `useCallerChanges`. */
export function notifyOtherWindows(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** Refetches the caller when another window has changed the name, which every window's header shows. */
export function useCallerChanges(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const channel = new BroadcastChannel(channelName)
    channel.addEventListener('message', () => {
      for (const queryKey of [meKey, accountKey]) void queryClient.invalidateQueries({ queryKey })
    })
    return () => channel.close()
  }, [queryClient])
}
