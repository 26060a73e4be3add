import { FileProposal, type Step } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { apiPath, request } from './client.ts'

/**
 * What a call changes in a file of the project. While the call waits it is refetched: the file may change meanwhile.
 */
export function useFileProposal(document: string, run: string, { id, status }: Pick<Step, 'id' | 'status'>) {
  const path = apiPath`/documents/${document}/runs/${run}/files/${id}`
  return useQuery({
    queryKey: ['file-proposal', document, run, id, status],
    queryFn: ({ signal }) => request(path, FileProposal, { signal }),
    refetchInterval: status === 'awaiting_approval' && 15_000,
  })
}
