// The world that a tracer's source runs in, as a function of the source. Its value is the tracer that go-ethereum calls.
// The engine looks for an interruption between two of its instructions, never within one function of its own. So the
// functions that could loop, nest or allocate without an end within one call get a limit here, or are made of JavaScript.
(function (source) {
  "use strict";
  const maxText = 1 << 26, maxList = 1 << 22, maxCode = 1 << 16, maxNested = 10000, maxCalls = 1000;
  const apply = Reflect.apply, construct = Reflect.construct, define = Object.defineProperty, keys = Object.keys;
  const evaluate = eval, Pattern = RegExp, ownBuffer = Uint8Array, buffers = Uint8Array.prototype;

  function within(limit, n, what) {
    if (n > limit) throw new RangeError(n + " " + what + ": the limit of a tracer is " + limit);
    return n;
  }
  const text = (n) => within(maxText, n, "characters");
  const list = (n) => within(maxList, n, "elements");
  const code = (v) => typeof v === "string" && within(maxCode, v.length, "characters of code");
  const isObject = (v) => v !== null && (typeof v === "object" || typeof v === "function");
  const isList = (v) => typeof v === "string" || Array.isArray(v) || ArrayBuffer.isView(v);
  const entries = (v) => { if (isList(v)) list(v.length); };
  const elements = (v) => { if (isObject(v) || typeof v === "string") list(v.length); };

  let calls = 0;
  // replace gives owner another function of the name, which is called with this, the arguments and the one before it.
  function replace(owner, name, f) {
    const before = owner[name];
    if (typeof before !== "function") return;
    const after = { f(...args) {
      calls++;
      try {
        within(maxCalls, calls, "calls of the engine within one another"); // which it could not leave in good time
        return f(this, args, before);
      } finally {
        calls--;
      }
    } }.f;
    define(after, "name", { value: before.name });
    define(after, "length", { value: before.length });
    define(owner, name, { value: after, writable: true, configurable: true });
  }
  // limit lets check look at this and the arguments first.
  function limit(owner, names, check) {
    for (let i = 0; i < names.length; i++) {
      replace(owner, names[i], (self, args, before) => { check(self, args); return apply(before, self, args); });
    }
  }
  // construction returns a constructor that lets check look at the arguments first, and is that of all its objects.
  function construction(kind, check) {
    const after = function (...args) {
      check(args);
      return new.target ? construct(kind, args, new.target === after ? kind : new.target) : apply(kind, this, args);
    };
    Object.setPrototypeOf(after, kind);
    define(after, "name", { value: kind.name });
    define(after, "length", { value: kind.length });
    define(after, "prototype", { value: kind.prototype });
    define(kind.prototype, "constructor", { value: after, writable: true, configurable: true });
    return after;
  }
  const each = (check) => (self, args) => { for (let i = 0; i < args.length; i++) check(args[i]); };

  // Lists. Their texts may contain one another, so they are made step by step.
  const joinTexts = Array.prototype.join, joining = [];
  function join(self, separator, show) {
    const n = list(self.length), texts = [];
    for (let i = 0; i < joining.length; i++) if (joining[i] === self) return "";
    within(maxNested, joining.push(self), "lists within one another");
    try {
      let size = 0;
      for (let i = 0; i < n; i++) {
        const v = self[i];
        texts[i] = v === undefined || v === null ? "" : typeof v === "string" ? v : show(v);
        text(size += texts[i].length + separator.length);
      }
    } finally {
      joining.pop();
    }
    return apply(joinTexts, texts, [separator]);
  }
  function flat(self, depth, into) {
    const n = list(self.length);
    for (let i = 0; i < n; i++) {
      if (!(i in self)) continue;
      if (depth >= 1 && Array.isArray(self[i])) flat(self[i], within(maxNested, depth, "levels") - 1, into);
      else list(into.push(self[i]));
    }
    return into;
  }
  function byText(a, b) {
    const x = `${a}`, y = `${b}`;
    return x < y ? -1 : x > y ? 1 : 0;
  }
  limit(Array.prototype, ["copyWithin", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex",
    "flatMap", "forEach", "includes", "indexOf", "lastIndexOf", "map", "reduce", "reduceRight", "reverse", "shift",
    "slice", "some", "splice", "unshift", "values"], (self) => list(self.length));
  define(Array.prototype, Symbol.iterator, { value: Array.prototype.values, writable: true, configurable: true });
  replace(Array.prototype, "concat", (self, args, before) => {
    let size = list(self.length);
    for (let i = 0; i < args.length; i++) list(size += isObject(args[i]) ? args[i].length || 1 : 1);
    return apply(before, self, args);
  });
  replace(Array.prototype, "join", (self, args) => join(self, args[0] === undefined ? "," : `${args[0]}`, (v) => `${v}`));
  replace(Array.prototype, "toLocaleString", (self) => join(self, ",", (v) => v.toLocaleString()));
  replace(Array.prototype, "flat", (self, args) =>
    flat(self, args[0] === undefined ? 1 : args[0] > maxNested ? maxNested : args[0], []));
  replace(Array.prototype, "sort", (self, args, before) => {
    list(self.length);
    return apply(before, self, [args[0] === undefined ? byText : args[0]]);
  });
  limit(Array, ["from"], (self, args) => elements(args[0]));
  limit(Object, ["keys", "values", "entries", "assign", "fromEntries", "getOwnPropertyNames",
    "getOwnPropertyDescriptors"], each(entries));
  limit(Reflect, ["ownKeys"], each(entries));
  limit(Reflect, ["apply"], (self, args) => elements(args[2]));
  limit(Reflect, ["construct"], (self, args) => elements(args[1]));
  limit(Function.prototype, ["apply"], (self, args) => elements(args[1]));

  // Buffers. go-ethereum knows its own by their constructor, which it finds while it looks at them.
  const kinds = ["ArrayBuffer", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array",
    "Uint32Array", "Float32Array", "Float64Array"];
  for (let i = 0; i < kinds.length; i++) {
    const kind = globalThis[kinds[i]], bytes = kind.BYTES_PER_ELEMENT || 1;
    globalThis[kinds[i]] = construction(kind, (args) => {
      if (isObject(args[0])) list(args[0].length);
      else text(args[0] * bytes);
    });
  }
  const typed = Object.getPrototypeOf(ownBuffer);
  limit(typed.prototype, ["join", "sort", "toLocaleString", "set"], (self, args) => { list(self.length); elements(args[0]); });
  limit(typed, ["from"], (self, args) => elements(args[0]));
  const checkedBuffer = Uint8Array;
  function takesBuffers(owner, names) {
    for (let i = 0; i < names.length; i++) {
      replace(owner, names[i], (self, args, before) => {
        for (let j = 0; j < args.length; j++) entries(args[j]);
        buffers.constructor = ownBuffer;
        try {
          return apply(before, self, args);
        } finally {
          buffers.constructor = checkedBuffer;
        }
      });
    }
  }
  takesBuffers(globalThis, ["toHex", "toWord", "toAddress", "toContract", "toContract2", "isPrecompiled", "slice"]);

  // Texts.
  limit(String.prototype, ["repeat"], (self, args) => text(`${self}`.length * args[0]));
  limit(String.prototype, ["padStart", "padEnd"], (self, args) => text(args[0]));
  limit(String, ["raw"], (self, args) => {
    let size = list(args[0].raw.length);
    for (let i = 1; i < args.length; i++) text(size += `${args[i]}`.length);
  });
  limit(String.prototype, ["concat"], (self, args) => {
    let size = text(`${self}`.length);
    for (let i = 0; i < args.length; i++) text(size += `${args[i]}`.length);
  });
  limit(String.prototype, ["match", "matchAll", "search", "split"], (self, args) => {
    list(`${self}`.length);
    code(args[0]);
  });
  replace(String.prototype, "replace", (self, args, before) => {
    const n = text(`${self}`.length), pattern = args[0], by = args[1];
    if (typeof by === "function") {
      let size = n;
      return apply(before, self, [pattern, (...found) => {
        const shown = `${apply(by, undefined, found)}`;
        text(size += shown.length);
        return shown;
      }]);
    }
    const shown = `${by}`, times = pattern instanceof Pattern && pattern.global ? n + 1 : 1;
    text(n + times * shown.length * (shown.includes("$") ? n + 1 : 1)); // $& and its kin stand for parts of the text
    return apply(before, self, args);
  });

  // Code, and patterns, which are code as well.
  const makers = [Function, (function* () {}).constructor, (async () => {}).constructor];
  const codes = (args) => each(code)(undefined, args);
  for (let i = 0; i < makers.length; i++) {
    const checked = construction(makers[i], codes);
    if (i === 0) globalThis.Function = checked;
  }
  globalThis.RegExp = construction(Pattern, codes);
  limit(globalThis, ["eval"], each(code));
  limit(RegExp.prototype, ["compile"], each(code));

  // Values as JSON. Their size is counted first: what is in two places counts twice.
  function count(value) {
    let size = 0;
    (function add(v, depth) {
      if (isObject(v) && typeof v.toJSON === "function") v = v.toJSON();
      if (typeof v === "string") size += v.length;
      text(++size);
      if (!isObject(v)) return;
      within(maxNested, depth, "levels of values within one another, or a value within itself");
      if (isList(v)) list(v.length);
      const names = keys(v);
      for (let i = 0; i < names.length; i++) {
        text(size += names[i].length);
        add(v[names[i]], depth + 1);
      }
    })(value, 1);
    return value;
  }
  limit(JSON, ["stringify"], (self, args) => count(args[0]));
  limit(JSON, ["parse"], (self, args) => within(maxList / 4, `${args[0]}`.length, "characters of JSON"));

  // The tracer. What go-ethereum could not interrupt, the source and setup, runs with the first call of result.
  let config, tracer, state;
  function begin() {
    tracer = evaluate("(" + source + ")");
    if (typeof tracer.setup === "function") tracer.setup(config);
    const has = (name) => typeof tracer[name] === "function";
    return { result: has("result"), fault: has("fault"), step: has("step"), enter: has("enter"), exit: has("exit") };
  }
  function guard(db) {
    if (db !== state) takesBuffers(state = db, ["getBalance", "getNonce", "getCode", "getState", "exists"]);
    return db;
  }
  return {
    setup(given) { config = given; },
    result(context, db) { return tracer === undefined ? begin() : count(tracer.result(context, guard(db))); },
    step(log, db) { tracer.step(log, db === state ? db : guard(db)); },
    fault(log, db) { tracer.fault(log, guard(db)); },
    enter(frame) { tracer.enter(frame); },
    exit(result) { tracer.exit(result); },
  };
})
