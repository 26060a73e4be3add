import { FileProposal } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { request } from './client.ts'

/**
 * What a call would change in a file of the project; refetched while it waits, since the file may change meanwhile.
 */
export function useFileProposal(document: string, run: string, call: string) {
  const path = `/documents/${encodeURIComponent(document)}/runs/${encodeURIComponent(run)}/files/${encodeURIComponent(call)}`
  return useQuery({
    queryKey: ['file-proposal', document, run, call],
    queryFn: ({ signal }) => request(path, FileProposal, { signal }),
    refetchInterval: 15_000,
  })
}
