package judge

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/pact-conform/pact-conform/harness/result"
)

// BeEmptyTaskList passes a 200 with an empty ListTasksResponse: tasks, nextPageToken and totalSize
// are there (§2.2; A2A 1.0 §3.1.4, §5.7).
func BeEmptyTaskList() Judge { return beEmptyTaskList(none{}) }

var beEmptyTaskList = define("BeEmptyTaskList", eachAnswer(`200 with tasks [], nextPageToken "" and totalSize 0`, func(x *result.Exchange) string {
	list := object(x)
	var short []string
	if tasks, ok := list["tasks"].([]any); !ok || len(tasks) > 0 {
		short = append(short, "tasks "+show(list["tasks"]))
	}
	if list["nextPageToken"] != "" {
		short = append(short, "nextPageToken "+show(list["nextPageToken"]))
	}
	if list["totalSize"] != 0.0 {
		short = append(short, "totalSize "+show(list["totalSize"]))
	}
	switch {
	case x.Response.Status != http.StatusOK:
		return Answered(x)
	case list == nil:
		return "a body that is no JSON object"
	}
	return strings.Join(short, ", ")
}))

// ListNoTasks passes a 200 of GET tasks without a task, whatever else it has.
func ListNoTasks() Judge { return listNoTasks(none{}) }

var listNoTasks = define("ListNoTasks", eachAnswer("200 without a task", func(x *result.Exchange) string {
	list := object(x)
	tasks, ok := list["tasks"].([]any)
	if x.Response.Status != http.StatusOK || list == nil || len(tasks) > 0 || !ok && list["tasks"] != nil {
		return fmt.Sprintf("%s, tasks %s", Answered(x), show(list["tasks"]))
	}
	return ""
}))

// HavePageSize passes a 200 of GET tasks whose pageSize is that number (§2.2).
func HavePageSize(size int) Judge { return havePageSize(pageArgs{Size: size}) }

type pageArgs struct {
	Size int `json:"size"`
}

var havePageSize = define("HavePageSize", func(a pageArgs, xs []*result.Exchange) Finding {
	expected := fmt.Sprintf("200 with pageSize %d", a.Size)
	for _, x := range xs {
		size := object(x)["pageSize"]
		if x.Response.Status != http.StatusOK || size != float64(a.Size) {
			return failed(expected, "%s, pageSize %s (%s)", Answered(x), show(size), x.ID)
		}
	}
	return passed(expected)
})
