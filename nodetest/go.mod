module github.com/fakenode/fakenode/nodetest

go 1.24
