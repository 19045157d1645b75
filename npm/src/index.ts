export { fakenodeActions, type FakenodeActions, type FakenodeMethods } from "./actions.js";
export type { Requester } from "./artifact.js";
export type * from "./control.js";
export { exam, explore, type BackEnd, type ExamAnswer, type ExamCapture, type ExamOptions, type ExamPayment, type ExamQuestion, type ExamResult, type ExamTransfer, type ExploreOptions } from "./exam.js";
export { RpcError } from "./rpc.js";
export { start, type Account, type Fakenode, type StartOptions } from "./start.js";
export type { NewWorldOptions, World, WorldInfo } from "./world.js";
