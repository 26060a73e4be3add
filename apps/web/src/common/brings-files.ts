/** Whether a drag brings files; a page may not see which until they are dropped. */
export function bringsFiles(data: Pick<DataTransfer, 'types'> | null): boolean {
  return data?.types.includes('Files') === true
}
