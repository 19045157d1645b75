// The node's own WebSocket, used as any client would.

/** CallError is what the node answered instead of a result. */
export class CallError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** post calls a method of another network, by its path. It rejects with a CallError for an error answer. */
export async function post(path, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(`${path}?observer`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { error, result } = await response.json();
  if (error) throw new CallError(error);
  return result;
}

const longestPause = 5000; // ms between attempts to connect

/** Connection keeps one WebSocket open. onOpen runs after each connect, onClose after each loss. */
export class Connection {
  constructor(url, { onOpen, onClose }) {
    this.url = url;
    this.onOpen = onOpen;
    this.onClose = onClose;
    this.lastID = 0;
    this.waiting = new Map(); // id -> {resolve, reject}
    this.handlers = new Map(); // subscription id -> handler
    this.pause = 250;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => { this.pause = 250; this.onOpen(); };
    socket.onmessage = (message) => this.receive(JSON.parse(message.data));
    socket.onclose = (event) => {
      for (const { reject } of this.waiting.values()) reject(new Error('connection lost'));
      this.waiting.clear();
      this.handlers.clear();
      this.onClose(event.reason);
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, longestPause);
    };
  }

  receive(message) {
    if (message.method === 'eth_subscription') {
      this.handlers.get(message.params.subscription)?.(message.params.result);
      return;
    }
    const call = this.waiting.get(message.id);
    if (!call) return;
    this.waiting.delete(message.id);
    if (message.error) call.reject(new CallError(message.error));
    else call.resolve(message.result);
  }

  /** request calls a method. It rejects with a CallError for an error answer. */
  request(method, ...params) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new Error('not connected'));
        return;
      }
      const id = ++this.lastID;
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** subscribe opens a subscription; the node sends nothing of it before its answer. */
  async subscribe(handler, kind, ...option) {
    const answer = this.request('eth_subscribe', kind, ...option);
    const { resolve } = this.waiting.get(this.lastID) ?? {};
    if (resolve) { // the handler must be in place before the message behind the answer is read
      this.waiting.get(this.lastID).resolve = (id) => { this.handlers.set(id, handler); resolve(id); };
    }
    return answer;
  }
}
