export {
  AgentPresence,
  AWARENESS_LIMIT,
  AwarenessState,
  closeCodes,
  deniedReasons,
  PersonPresence,
} from './collaboration.ts'
export {
  AgentMode,
  CreateDocument,
  DocumentList,
  DocumentSummary,
  ExportFormat,
  ListDocumentsQuery,
  PatchDocument,
} from './documents.ts'
export { ErrorBody, type ErrorCode, errorStatus } from './errors.ts'
export { Author, CreateSession, Me, Role, Session, User } from './people.ts'
export {
  isFinal,
  Message,
  MessageList,
  PostedMessage,
  PostMessage,
  Run,
  RunList,
  RunStatus,
  Selection,
  Step,
  StepStatus,
  Trigger,
  Usage,
} from './runs.ts'
