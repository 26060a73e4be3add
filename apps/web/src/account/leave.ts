import { ApiError } from '../api/client.ts'
import { clearAccount } from '../collaboration/offline/offline-store.ts'
import { endSession } from './account-api.ts'

/**
 * Signs out, here or everywhere, and lets go of everything that this browser keeps for the account. The page starts anew, so that nothing
 * of it stays in memory. Rejects, and keeps everything, when the server can't be asked.
 */
export async function leave(account: string, everywhere: boolean): Promise<void> {
  await endSession({ everywhere }).catch((error: unknown) => {
    // The session has ended already: what is kept here goes all the same.
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
  })
  await clearAccount(account)
  location.assign('/')
}
