import { ApiError } from '../api/client.ts'
import { clearAccount } from '../collaboration/offline/offline-store.ts'
import { endSession } from './account-api.ts'

/**
 * Signs out, here or everywhere, and deletes everything that this browser stores for the account. Reloads the page, so
 * that nothing stays in memory. Rejects, and deletes nothing, when the server is unreachable.
 */
export async function leave(account: string, everywhere: boolean): Promise<void> {
  await endSession({ everywhere }).catch((error: unknown) => {
    // The session has ended already: local data is deleted all the same.
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
  })
  await clearAccount(account)
  location.assign('/')
}
