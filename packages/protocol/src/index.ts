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
  ChangesView,
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
  Change,
  ChangeList,
  ChangeRecord,
  Comment,
  DecideChange,
  Highlight,
  PatchThread,
  PostChange,
  PostComment,
  PostThread,
  Thread,
  ThreadList,
} from './review.ts'
export {
  Approval,
  DecideCall,
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
  TextPair,
  Trigger,
  UndoRun,
  Usage,
} from './runs.ts'
