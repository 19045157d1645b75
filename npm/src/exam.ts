import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Conclusion, ScenarioName } from "./control.js";
import { launch, type StartOptions } from "./start.js";

/** Which payment a back end is asked about, after a move of a story. */
export interface ExamQuestion extends Pick<Conclusion, "transaction" | "contract" | "payer" | "nonce" | "merchant" | "value"> {
  scenario: ScenarioName;
  step: number;
}

/** What a back end says: nothing paid, paid in its books, or shipped for good. */
export type ExamAnswer = "open" | "paid" | "shipped";

export interface ExamResult {
  /** Whether all stories are passed. */
  passed: boolean;
  /** A line for each story, with the step that fooled the back end. */
  report: string;
}

/**
 * Plays stories move by move on a node of its own, and asks after each move what the back end says of the payment. The
 * url is the node's. examKinds are the stories' kinds.
 *
 * @throws what ask throws, and with what the node says when a flag is wrong.
 */
export async function exam(
  ask: (question: ExamQuestion, url: string) => ExamAnswer | Promise<ExamAnswer>,
  options: Omit<StartOptions, "detached" | "exam"> = {},
): Promise<ExamResult> {
  let listens: (url: string) => void;
  const url = new Promise<string>((resolve) => (listens = resolve));
  let failure: { error: unknown } | undefined;
  const server = createServer(async (request, response) => {
    try {
      let body = "";
      for await (const part of request) body += part;
      response.end(JSON.stringify({ payment: await ask(JSON.parse(body) as ExamQuestion, await url) }));
    } catch (error) {
      failure ??= { error };
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const child = launch(options, { exam: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exitWithStdin: true });
    let told = "";
    let complaint = "";
    child.stdout!.on("data", (data: Buffer) => {
      told += data.toString();
      const address = /^Listening on (.*)\n/.exec(told);
      if (address) listens(`http://${address[1]}`);
    });
    child.stderr!.on("data", (data: Buffer) => (complaint += data.toString()));
    const code = await new Promise<number | null>((resolve, reject) => child.once("close", resolve).once("error", reject));
    if (failure) throw failure.error;
    const report = told.slice(told.indexOf("\n") + 1);
    if (!report.endsWith("stories passed\n")) throw new Error(complaint.trim() || `fakenode ended with exit code ${code}`);
    return { passed: code === 0, report };
  } finally {
    server.close();
  }
}
