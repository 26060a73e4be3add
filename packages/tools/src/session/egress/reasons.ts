import { localizable } from '../../common/localizable.ts'

/** The reasons, for people, why a call that sends data out waits for approval. */
export const reasonsToAsk = {
  /** A text that the agent has read may have determined the sent data. */
  readOutside: localizable`The agent has read text from outside, which may have told it to do this.`,
  /** The address was neither written by the caller nor returned by a search. */
  unnamedAddress: localizable`This address is not in the request: a text may have told the agent to open it.`,
  /** An operator requires approval of every call. */
  eachCall: localizable`On this server each call of this tool needs approval.`,
}
