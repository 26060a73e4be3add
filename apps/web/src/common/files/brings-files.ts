/** Whether a drag brings files; a page may not see which until they are dropped. */
export function bringsFiles(data: Pick<DataTransfer, 'types'> | null): boolean {
  // oxlint-disable-next-line copydesk/translated-text -- the name of a data type
  return data?.types.includes('Files') === true
}
