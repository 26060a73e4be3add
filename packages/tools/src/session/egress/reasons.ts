import { localizable } from '../../common/localizable.ts'

/** Why a call that sends something out waits for a person, for that person. */
export const reasonsToAsk = {
  /** What is sent may have been decided by a text that the agent has read. */
  readOutside: localizable`The agent has read text from outside, which may have told it to do this.`,
  /** The address was neither written by the caller nor given by a search. */
  unnamedAddress: localizable`This address is not in the request: a text may have told the agent to open it.`,
  /** An operator wants it so. */
  eachCall: localizable`On this server each call of this tool needs approval.`,
}
