export {
  AgentPresence,
  AWARENESS_LIMIT,
  AwarenessState,
  closeCodes,
  deniedReasons,
  FRAME_LIMIT,
  PersonPresence,
  UPDATE_LIMIT,
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
export {
  DocumentPeople,
  DocumentPerson,
  ListNotificationsQuery,
  Mentioned,
  Notification,
  NotificationList,
  NotificationPlace,
  NOTIFIED,
  ReadNotifications,
  UnreadCount,
} from './notifications.ts'
export { AuthorIds, AuthorInText, AuthorRange, Authorship, AuthorshipQuery, RunInText } from './authorship.ts'
