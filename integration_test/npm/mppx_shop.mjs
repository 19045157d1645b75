// A shop with one page, which mppx's server sells for 0.25 by one of its methods.
import { createServer } from "node:http";
import { once } from "node:events";
import { Mppx } from "mppx/server";

// open returns the address of the page.
export async function open(method) {
  const server = Mppx.create({ methods: [method], secretKey: "a secret of at least thirty-two bytes", realm: "shop.example" });
  const sell = async (request) => {
    const response = await server.charge({ amount: "0.25" })(request);
    return response.status === 402 ? response.challenge : response.withReceipt(Response.json({ answer: 42 }));
  };
  const http = createServer(async (incoming, outgoing) => {
    const answer = await sell(new Request(`http://${incoming.headers.host}${incoming.url}`, { headers: incoming.headers }));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  return `http://127.0.0.1:${http.address().port}/answer`;
}
