/** Whether a drag contains files; a page can't read which until they are dropped. */
export function bringsFiles(data: Pick<DataTransfer, 'types'> | null): boolean {
  // oxlint-disable-next-line copydesk/translated-text -- the name of a data type
  return data?.types.includes('Files') === true
}
