export { fileDeskRoutes, fileRoutes, type RunningFileStore, startFileStore } from "./file-routes.ts";
export {
  claimFile,
  type FilePurpose,
  type FileStore,
  findFile,
  formatFileId,
  openFileStore,
  openHouseFileKey,
  parseFileId,
  type StoredFile,
} from "./stored-files.ts";
