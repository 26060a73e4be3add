import { FileProposal, type Step } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { request } from './client.ts'

/** The first part of the keys under which proposals are cached. */
export const proposalKey = 'file-proposal'

/**
 * What a call changes in a file of the project. While the call waits it is refetched: the file may change
 * meanwhile. The server says so at once, unless its system reports no changes.
 */
export function useFileProposal(document: string, run: string, { id, status }: Pick<Step, 'id' | 'status'>) {
  const path = `/documents/${encodeURIComponent(document)}/runs/${encodeURIComponent(run)}/files/${encodeURIComponent(id)}`
  return useQuery({
    queryKey: [proposalKey, document, run, id, status],
    queryFn: ({ signal }) => request(path, FileProposal, { signal }),
    refetchInterval: status === 'awaiting_approval' && 60_000,
  })
}
