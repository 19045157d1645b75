import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Conclusion, Hex, ScenarioName } from "./control.js";
import { launch, type StartOptions } from "./start.js";

/** Which payment a back end is asked about, after a move of a story. */
export interface ExamQuestion extends Pick<Conclusion, "transaction" | "contract" | "payer" | "nonce" | "merchant" | "value"> {
  scenario: ScenarioName;
  step: number;
  /** What the payer owes, for a back end that captures. */
  order?: Hex;
  /** The authorization that a back end is to capture for the order now. */
  capture?: ExamCapture;
  /** Asks an indexer for all transfers of the contract from this block on. */
  fromBlock?: number;
}

/** A transfer as an indexer lists it. */
export interface ExamTransfer {
  transaction: Hex;
  blockHash: Hex;
  from: Hex;
  to: Hex;
  value: string | number | bigint;
}

/** An authorization to capture, with x402's names; numbers are decimal text. */
export interface ExamCapture {
  from: Hex;
  to: Hex;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
  /** Of TransferWithAuthorization. */
  signature: Hex;
  /** Of ReceiveWithAuthorization. */
  receiveSignature: Hex;
}

/** What a back end says: nothing paid, paid in its books, or shipped for good. */
export type ExamPayment = "open" | "paid" | "shipped";

/** The same, with the token units that the back end credits. */
export type ExamAnswer = ExamPayment | { payment: ExamPayment; amount?: string | number | bigint } | { transfers: ExamTransfer[] };

export interface ExamOptions extends Omit<StartOptions, "detached"> {
  /** The stories' kinds, with commas between them: pre-confirmations, reorgs, nodes that are behind and decoys by default. */
  kinds?: string;
  /** How long after each move the back end is asked, such as "300ms", for one that looks at the chain now and then. */
  wait?: string;
  /** How long a wrong answer that can be taken back may be corrected, such as "10s": more than the time between two looks. */
  patience?: string;
}

export interface ExamResult {
  /** Whether the back end passed. */
  passed: boolean;
  /** A line for each story, with the step that fooled the back end, or the course of accidents that did. */
  report: string;
}

/** What a back end is: a function that answers a question; the url is the node's. */
export type BackEnd = (question: ExamQuestion, url: string) => ExamAnswer | Promise<ExamAnswer>;

export interface ExploreOptions extends Omit<ExamOptions, "kinds"> {
  /** How many schedules of accidents are drawn: 400 by default. */
  runs?: number;
  /** How long they are drawn, such as "1m". */
  for?: string;
  seed?: number;
  /** The depth of the deepest reorg that the back end means to survive: 3 blocks by default. */
  depth?: number;
  /** The back end is an indexer: it is asked for transfers, not about payments. */
  indexer?: boolean;
  /** The back end captures: it is handed authorizations, of which it captures one for each order. */
  captures?: boolean;
  /** Names of accidents that do not happen, with commas between them. */
  without?: string;
  /** A folder of schedules that are played first, and where the one that is found is kept. */
  found?: string;
}

/**
 * Plays stories move by move on a node of its own, and asks after each move what the back end says of the payment. It
 * takes a second or two, and with wait and patience as long as these say: a test has a limit of its own to raise.
 *
 * @throws what ask throws, and with what the node says when a flag is wrong.
 */
export function exam(ask: BackEnd, options: ExamOptions = {}): Promise<ExamResult> {
  return examined("exam", ask, options);
}

/**
 * Searches for accidents that fool the back end, on a node of its own: the report has the shortest course of them. It
 * takes as long as runs or for say, a second for about thirty schedules. An ask that throws gives no answer.
 *
 * @throws with what the node says when a flag is wrong.
 */
export function explore(ask: BackEnd, options: ExploreOptions = {}): Promise<ExamResult> {
  return examined("explore", ask, options);
}

async function examined(command: "exam" | "explore", ask: BackEnd, options: ExamOptions | ExploreOptions): Promise<ExamResult> {
  let listens: (url: string) => void;
  const url = new Promise<string>((resolve) => (listens = resolve));
  let failure: { error: unknown } | undefined;
  const server = createServer(async (request, response) => {
    try {
      let body = "";
      for await (const part of request) body += part;
      const answer = await ask(JSON.parse(body) as ExamQuestion, await url);
      const said = typeof answer === "string" ? { payment: answer } : answer;
      response.end(JSON.stringify(said, (_, value) => (typeof value === "bigint" || typeof value === "number" ? value.toString() : value)));
    } catch (error) {
      failure ??= { error };
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = launch({ ...{ wait: "0s", patience: "0s" }, ...options }, { exitWithStdin: true }, {}, [command, at]);
    let told = "";
    let complaint = "";
    child.stdout!.on("data", (data: Buffer) => {
      told += data.toString();
      const address = /^Listening on (.*)\n/.exec(told);
      if (address) listens(`http://${address[1]}`);
    });
    child.stderr!.on("data", (data: Buffer) => (complaint += data.toString()));
    const code = await new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject));
    if (failure && command === "exam") throw failure.error;
    const report = told.slice(told.indexOf("\n") + 1);
    if ((code !== 0 && code !== 1) || !report) throw new Error(complaint.trim() || `fakenode ended with exit code ${code}`);
    return { passed: code === 0, report };
  } finally {
    server.close();
  }
}
