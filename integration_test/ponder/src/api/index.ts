import { db } from "ponder:api";
import schema from "ponder:schema";
import { Hono } from "hono";

const app = new Hono();
app.get("/transfers", async (c) => {
  const rows = await db.select().from(schema.transfer);
  return c.json(rows.map((r) => ({ ...r, value: r.value.toString(), block: Number(r.block) })));
});
export default app;
